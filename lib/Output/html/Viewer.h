//===- Viewer.h - speedscope's page, carried in the program ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_HTML_VIEWER_H
#define WARPO_OUTPUT_HTML_VIEWER_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpo {

/// The files of speedscope's release that its page needs, and their licenses, as they are.
struct Viewer {
  llvm::StringRef script;
  llvm::StringRef style;
  /// A font in the WOFF2 format, and how the style refers to it.
  llvm::StringRef font;
  llvm::StringRef fontUrl;
  llvm::StringRef license;
  llvm::StringRef fontLicense;
};

/// Nothing if speedscope was not installed when the program was built.
std::optional<Viewer> packedViewer();

} // namespace warpo

#endif
