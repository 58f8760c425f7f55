//===- FramePicture.h - Frames in rows, as an SVG file --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A self-contained file: a static picture and, where its script runs, one to zoom and search in.
// The script reads the frames' data attributes and recomputes all positions for the width of the
// window.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_SVG_FRAMEPICTURE_H
#define WARPO_OUTPUT_SVG_FRAMEPICTURE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// All texts are results of displayName().
struct PictureInfo {
  std::string title;
  /// The line below the title.
  std::string summary;
  /// The unit of `total` and of the frames' numbers.
  llvm::StringRef unit;
  /// The weight of the whole width.
  uint64_t total = 0;
  uint32_t levels = 0;
  /// Whether level 0 is at the bottom, with callees above their callers.
  bool growsUp = false;
  /// Whether left to right is time: `start` of a frame is in nanoseconds since the left edge.
  /// Frames of the class `stream`, children of the whole, then begin groups of rows.
  bool isTimeline = false;
};

struct PictureFrame {
  /// Classes of flamegraph.css.
  std::string classes;
  std::string name;
  std::string details;
  /// The function's source, as in `app.c:12, contains insert`, and the URL of that location; empty
  /// if unknown.
  std::string source = {};
  std::string url = {};
  uint32_t level = 0;
  uint64_t start = 0;
  uint64_t weight = 0;
  uint64_t self = 0;
  /// The number of calls of the same function that it stands for, and their weight, which is less
  /// than the frame's if there are gaps between the calls.
  uint64_t count = 1;
  std::optional<uint64_t> spent = std::nullopt;
};

/// The classes of a function's frame: functions of a file share a hue, in several shades.
std::string functionClasses(llvm::StringRef name);

/// `app.c:12, contains insert, find_slow`; empty if nothing is known.
std::string sourceDetails(llvm::StringRef file, uint32_t line,
                          const std::vector<llvm::StringRef> &inlined);

/// Call writeHead(), write() for each frame in preorder beginning with the whole, and writeTail().
class FramePicture {
public:
  FramePicture(PictureInfo info, llvm::raw_ostream &os) : info_(std::move(info)), os_(os) {}

  void writeHead();
  void write(const PictureFrame &frame);
  void writeTail();

private:
  PictureInfo info_;
  llvm::raw_ostream &os_;
};

} // namespace warpo

#endif
