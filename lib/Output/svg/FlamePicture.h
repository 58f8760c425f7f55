//===- FlamePicture.h - A laid out flame graph as a picture ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_SVG_FLAMEPICTURE_H
#define WARPO_OUTPUT_SVG_FLAMEPICTURE_H

#include "FlameLayout.h"
#include "FramePicture.h"
#include "warpo/Output/Quantities.h"

namespace warpo {

/// The position and weights of a frame. For a remainder or the whole, sets classes and name as
/// well; everything else is left to the caller.
inline PictureFrame placeFrame(const FlameFrame &frame) {
  PictureFrame picture;
  picture.level = frame.level;
  picture.start = frame.start;
  picture.weight = frame.weight;
  picture.self = frame.self;
  if (frame.folded > 0) {
    picture.classes = "frame rest";
    picture.name = "(" + formatWeight(frame.folded, "contexts") + " too narrow)";
  } else if (frame.node == ContextTree::root) {
    picture.classes = "frame all";
    picture.name = "all";
  }
  return picture;
}

/// Draws all frames of the layout as described by `pictureOf`. Sets the sizes in `info`.
template <typename F>
void drawFlames(const FlameLayout &layout, PictureInfo info, F pictureOf, llvm::raw_ostream &os) {
  info.total = layout.total;
  info.levels = layout.levels;
  FramePicture picture(std::move(info), os);
  picture.writeHead();
  for (const FlameFrame &frame : layout.frames)
    picture.write(pictureOf(frame));
  picture.writeTail();
}

} // namespace warpo

#endif
