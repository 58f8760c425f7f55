//===- DiffSvgBackend.cpp - A flame graph of what changed -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "profile/DiffWidths.h"
#include "svg/FlamePicture.h"
#include "warpo/Output/DiffBackend.h"
#include "warpo/Output/ProfileBackend.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

namespace {

class DiffPicture {
public:
  DiffPicture(const ProfileDiff &diff, StringRef title, raw_ostream &os)
      : diff_(diff), title_(title), widths_(widthsOf(diff)), layout_(layOutFlames(widths_)),
        os_(os) {}

  void write() {
    drawFlames(
        layout_, {.title = displayName(title_), .summary = summary(), .unit = diff_.weight().unit},
        [&](const FlameFrame &frame) { return pictureOf(frame); }, os_);
  }

private:
  std::string weight(double value) const {
    return formatWeight(uint64_t(std::llround(value)), diff_.weight().unit);
  }

  // `1.000 ms to 1.200 ms (+20.0 %)`
  std::string text(const Change &change) const {
    std::string text = weight(change.before.mean) + " to " + weight(change.after.mean);
    if (change.difference() == 0)
      return weight(change.after.mean) + ", unchanged";
    if (!change.isReal())
      return text + " (within the spread of the runs)";
    if (change.before.mean == 0)
      return text;
    double share = std::abs(change.difference()) / change.before.mean;
    // Shares are passed to formatShare as parts of this whole.
    constexpr double whole = 1e9;
    std::string percent = share <= 1 ? formatShare(uint64_t(share * whole), uint64_t(whole))
                                     : groupDigits(uint64_t(std::llround(share * 100))) + " %";
    return text + (change.difference() > 0 ? " (+" : " (-") + percent + ")";
  }

  std::string summary() const {
    if (diff_.tree.size() == 1)
      return "no calls";
    return text(diff_.weight().inclusive[ContextTree::root]) +
           "; red more, blue less, violet new, green gone, grey same";
  }

  PictureFrame pictureOf(const FlameFrame &frame) const {
    PictureFrame picture = placeFrame(frame);
    if (frame.folded > 0) {
      picture.details = weight(double(frame.weight));
      return picture;
    }
    const Change &inclusive = diff_.weight().inclusive[frame.node];
    picture.details = text(inclusive);
    if (frame.node == ContextTree::root)
      return picture;
    const DiffFunction &function = diff_.function(frame.node);
    picture.name = displayName(widths_.name(frame.node));
    if (!function.formerName.empty())
      picture.name += " (was " + displayName(function.formerName) + ")";
    picture.classes = changeClasses(diff_.contexts[frame.node], inclusive);
    picture.details += ", self " + text(diff_.weight().self[frame.node]);
    if (std::optional<WeightIndex> calls = diff_.findWeight("calls");
        calls != diff_.shown && calls) {
      const Change &change = diff_.weights[*calls].self[frame.node];
      picture.details += ", " + groupDigits(uint64_t(std::llround(change.before.mean))) + " to " +
                         formatWeight(uint64_t(std::llround(change.after.mean)), "calls");
    }
    return picture;
  }

  const ProfileDiff &diff_;
  StringRef title_;
  Profile widths_;
  FlameLayout layout_;
  raw_ostream &os_;
};

class DiffSvgBackend : public DiffBackend {
public:
  StringRef extension() const override { return ".svg"; }
  bool isBinary() const override { return false; }
  Error write(const ProfileDiff &diff, StringRef title, raw_ostream &os) override {
    DiffPicture(diff, title, os).write();
    return Error::success();
  }
};

warpo::Registry<DiffBackend>::Add<DiffSvgBackend>
    registration("svg", "a flame graph, coloured by what changed");

} // namespace
