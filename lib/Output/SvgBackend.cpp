//===- SvgBackend.cpp - A flame graph as an SVG file ----------------------===//
//
// The outermost calls are at the top unless the user asks for `grow=up`, as a stack grows far and a
// browser shows a page from its top.
//
//===----------------------------------------------------------------------===//

#include "svg/FlamePicture.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

namespace {

class SvgWriter {
public:
  SvgWriter(const Profile &profile, bool growsUp, raw_ostream &os)
      : profile_(profile), growsUp_(growsUp), layout_(layOutFlames(profile)), os_(os) {}

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
    return text;
  }

  PictureFrame pictureOf(const FlameFrame &frame) const {
    PictureFrame picture = placeFrame(frame);
    picture.details =
        (Twine(weight(frame.weight)) + " (" + formatShare(frame.weight, layout_.total) + ")").str();
    if (frame.folded > 0)
      return picture;
    if (frame.node == ContextTree::root) {
      picture.details = weight(frame.weight);
      return picture;
    }
    picture.name = displayName(profile_.name(frame.node));
    picture.details += ", self " + weight(frame.self);
    if (profile_.unit() != "calls")
      picture.details += ", " + formatWeight(profile_.calls(frame.node), "calls");
    if (!profile_.isPseudo(frame.node))
      picture.classes = functionClasses(picture.name);
    else
      picture.classes = picture.name == "[lost]" ? "frame lost" : "frame rest";
    return picture;
  }

  const Profile &profile_;
  bool growsUp_;
  FlameLayout layout_;
  raw_ostream &os_;
};

class SvgBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".svg"; }
  bool isBinary() const override { return false; }
  Error write(const Profile &profile, raw_ostream &os) override {
    SvgWriter(profile, growsUp_, os).write();
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
