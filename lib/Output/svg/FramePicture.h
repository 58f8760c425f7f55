//===- FramePicture.h - Frames in rows, as an SVG file --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One file that needs nothing else: a still picture for whoever only draws it, and, where its
// script runs, one to zoom and search in. What the script needs of a frame stands in its data
// attributes; it computes all places anew for the width of the window.
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

/// All text is what displayName() made.
struct PictureInfo {
  std::string title;
  /// The line below the title.
  std::string summary;
  /// Of `total` and of the frames' numbers.
  llvm::StringRef unit;
  /// What the whole width stands for.
  uint64_t total = 0;
  uint32_t levels = 0;
  /// Whether level 0 is at the bottom and callees stand on their callers.
  bool growsUp = false;
  /// Whether left to right is time: nanoseconds, `start` of the frames since the left edge. Frames
  /// of the class `stream` then head rows of their own; they lie in the whole.
  bool isTimeline = false;
};

struct PictureFrame {
  /// Classes of flamegraph.css.
  std::string classes;
  std::string name;
  std::string details;
  /// Where its function comes from, as in `app.c:12, contains insert`, and the address of that
  /// place; empty if unknown.
  std::string source = {};
  std::string url = {};
  uint32_t level = 0;
  uint64_t start = 0;
  uint64_t weight = 0;
  uint64_t self = 0;
  /// How many calls of the same function it stands for, and what they weigh, which is less where
  /// there is something between them.
  uint64_t count = 1;
  std::optional<uint64_t> spent = std::nullopt;
};

/// The classes of a function's frame: the functions of a file are of one hue and of several shades.
std::string functionClasses(llvm::StringRef name);

/// `app.c:12, contains insert, find_slow`; empty where nothing is known.
std::string sourceDetails(llvm::StringRef file, uint32_t line,
                          const std::vector<llvm::StringRef> &inlined);

/// Writes head, frames, tail, in this order. The first frame is the whole; a frame comes after the
/// one that it lies in, and with all that lies in it before its next sibling.
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
