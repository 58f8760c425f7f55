//===- Viewer.h - speedscope's page, embedded in the program --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_HTML_VIEWER_H
#define WARPO_OUTPUT_HTML_VIEWER_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpo {

/// The unmodified files of speedscope's release that its page needs, and their licenses.
struct Viewer {
  llvm::StringRef script;
  llvm::StringRef style;
  /// A WOFF2 font, and the URL by which the style refers to it.
  llvm::StringRef font;
  llvm::StringRef fontUrl;
  llvm::StringRef license;
  llvm::StringRef fontLicense;
};

/// Nothing if speedscope was not found when the program was built.
std::optional<Viewer> packedViewer();

} // namespace warpo

#endif
