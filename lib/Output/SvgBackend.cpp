//===- SvgBackend.cpp - A flame graph as an SVG file ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The outermost calls are at the top unless the user asks for `grow=up`: stacks can be deep, and a
// browser shows a page from its top.
//
// If the weight is shown per another one, as in ns per fuel, a frame is as wide as its weight, and
// its colour compares its inclusive ratio with that of the whole profile.
//
//===----------------------------------------------------------------------===//

#include "svg/FlamePicture.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Support/Errors.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

namespace {

class SvgWriter {
public:
  SvgWriter(const Profile &profile, bool growsUp, const SourceUrl &sourceUrl, raw_ostream &os)
      : profile_(profile), growsUp_(growsUp), sourceUrl_(sourceUrl), layout_(layOutFlames(profile)),
        os_(os) {
    if (!profile.per)
      return;
    others_ = profile.inclusive(*profile.per);
    wholeRatio_ = ratioOf(layout_.total, others_[ContextTree::root]);
  }

  void write() {
    drawFlames(
        layout_,
        {.title = displayName(profile_.title),
         .summary = summary(),
         .unit = profile_.unit(),
         .growsUp = growsUp_},
        [&](const FlameFrame &frame) { return pictureOf(frame); }, os_);
  }

private:
  std::string weight(uint64_t weight) const { return formatWeight(weight, profile_.unit()); }

  std::string summary() const {
    uint64_t contexts = profile_.tree.size() - 1;
    if (contexts == 0)
      return "no calls";
    std::string text =
        (Twine(weight(layout_.total)) + " in " + formatWeight(contexts, "calling contexts")).str();
    if (layout_.foldedContexts > 0)
      text += (", " + Twine(groupDigits(layout_.foldedContexts)) + " of them too narrow to draw (" +
               formatShare(layout_.foldedWeight, layout_.total) + ")")
                  .str();
    if (profile_.per && wholeRatio_)
      text += "; " + ratioText(wholeRatio_) +
              "; red: more, blue: less, grey: about as much, violet: no " +
              profile_.weights[*profile_.per].name;
    return text;
  }

  // `0.352 ns per fuel`.
  std::string ratioText(std::optional<double> ratio) const {
    return formatRatio(*ratio, ratioUnit(profile_.unit(), profile_.weights[*profile_.per].unit));
  }

  std::string ratioDetails(const FlameFrame &frame) const {
    auto textOf = [&](uint64_t weight, uint64_t other) {
      if (weight > 0 && other == 0)
        return "no " + profile_.weights[*profile_.per].name;
      std::optional<double> ratio = ratioOf(weight, other);
      if (!ratio)
        return std::string("nothing");
      return ratioText(ratio);
    };
    std::string text = ", " + textOf(frame.weight, others_[frame.node]);
    if (frame.node == ContextTree::root)
      return text;
    return text + ", self " + textOf(frame.self, profile_.self(frame.node, *profile_.per));
  }

  // Darker the further the ratio is from that of the whole.
  std::string ratioClasses(const FlameFrame &frame) const {
    std::optional<double> ratio = ratioOf(frame.weight, others_[frame.node]);
    if (!ratio || !wholeRatio_)
      return "frame graded same s1";
    if (std::isinf(*ratio))
      return "frame graded none s1";
    double times = *ratio / *wholeRatio_;
    bool isMore = times > 1;
    double factor = isMore ? times : 1 / times;
    if (factor < 1.25)
      return "frame graded same s1";
    StringRef shade = factor < 2 ? "s2" : factor < 4 ? "s1" : "s0";
    return ((isMore ? "frame graded more " : "frame graded less ") + shade).str();
  }

  PictureFrame pictureOf(const FlameFrame &frame) const {
    PictureFrame picture = placeFrame(frame);
    picture.details =
        (Twine(weight(frame.weight)) + " (" + formatShare(frame.weight, layout_.total) + ")").str();
    if (frame.folded > 0)
      return picture;
    if (frame.node == ContextTree::root) {
      picture.details = weight(frame.weight);
      if (profile_.per)
        picture.details += ratioDetails(frame);
      return picture;
    }
    const ProfileFunction &function = profile_.function(frame.node);
    picture.name = displayName(function.name);
    picture.source = sourceDetails(function.file, function.line,
                                   {function.inlined.begin(), function.inlined.end()});
    picture.url = sourceUrl_.of(function.file, function.line);
    picture.details += ", self " + weight(frame.self);
    if (profile_.per)
      picture.details += ratioDetails(frame);
    if (profile_.unit() != "calls")
      picture.details += ", " + formatWeight(profile_.calls(frame.node), "calls");
    if (!profile_.isPseudo(frame.node))
      picture.classes = profile_.per ? ratioClasses(frame) : functionClasses(picture.name);
    else
      picture.classes = picture.name == "[lost]" ? "frame lost" : "frame rest";
    if (function.isMostlyProbe()) {
      picture.classes += " probed";
      picture.details += ", " + formatShare(uint64_t(1000 * function.probeShare), 1000) +
                         " of its own time is recording";
    }
    return picture;
  }

  const Profile &profile_;
  bool growsUp_;
  const SourceUrl &sourceUrl_;
  FlameLayout layout_;
  raw_ostream &os_;
  /// For each context, the weight that the shown one is divided by.
  std::vector<uint64_t> others_;
  std::optional<double> wholeRatio_;
};

class SvgBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".svg"; }
  bool isBinary() const override { return false; }
  bool namesModules() const override { return true; }
  bool canShowRatio() const override { return true; }
  bool canLink() const override { return true; }
  StringRef timeOrdered() const override { return "flamechart"; }
  Error write(const Profile &profile, raw_ostream &os) override {
    SvgWriter(profile, growsUp_, sourceUrl(), os).write();
    return Error::success();
  }

  Error setOption(StringRef name, StringRef value) override {
    if (name != "grow")
      return ProfileBackend::setOption(name, value);
    if (value != "up" && value != "down")
      return makeError("takes grow=up or grow=down, not '" + value + "'");
    growsUp_ = value == "up";
    return Error::success();
  }

private:
  bool growsUp_ = false;
};

warpo::Registry<ProfileBackend>::Add<SvgBackend>
    registration("svg", "a flame graph to zoom and search in, for browsers (grow=up|down)");

} // namespace
