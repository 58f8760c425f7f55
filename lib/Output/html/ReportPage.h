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

/// `title` is what displayName() made.
llvm::Error writeReportPage(llvm::StringRef title, const PagePayload &payload, bool withSpeedscope,
                            llvm::raw_ostream &os);

} // namespace warpo

#endif
