//===- ReportPage.h - A report as one HTML file ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One file that works from disk and without the network: data, style and script are inside, and
// speedscope's page too, for a tab of its own. What is in the folder `report` becomes the page.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_HTML_REPORTPAGE_H
#define WARPO_OUTPUT_HTML_REPORTPAGE_H

#include "PagePayload.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

struct ReportPage {
  /// What displayName() made.
  llvm::StringRef title;
  const PagePayload &payload;
  /// An encoded payload of its own, which is unpacked when its tab is looked at; empty: none.
  llvm::StringRef timeline = "";
  bool withSpeedscope = true;
};

llvm::Error writeReportPage(const ReportPage &page, llvm::raw_ostream &os);

} // namespace warpo

#endif
