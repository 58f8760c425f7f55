//===- ReportPage.h - A report as one HTML file ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A self-contained file that works from disk without network: it contains data, style and script,
// and speedscope's page for a separate tab. The page is built from the files in the folder
// `report`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_HTML_REPORTPAGE_H
#define WARPO_OUTPUT_HTML_REPORTPAGE_H

#include "PagePayload.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

struct ReportPage {
  /// As returned by displayName().
  llvm::StringRef title;
  const PagePayload &payload;
  /// A separate encoded payload, unpacked when its tab is opened; empty: none.
  llvm::StringRef timeline = "";
  bool withSpeedscope = true;
};

llvm::Error writeReportPage(const ReportPage &page, llvm::raw_ostream &os);

} // namespace warpo

#endif
