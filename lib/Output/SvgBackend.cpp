//===- SvgBackend.cpp - A flame graph as an SVG file ----------------------===//
//
// One file that needs nothing else: a still picture for whoever only draws it, and, where its
// script runs, one to zoom and search in. The outermost calls are at the top, as a stack grows far
// and a browser shows a page from its top. What the script needs of a frame stands in its data
// attributes; it computes all places anew for the width of the window.
//
//===----------------------------------------------------------------------===//

#include "svg/FlameLayout.h"
#include "svg/Resources.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/Quantities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;

// The still picture, in pixels.
static constexpr unsigned pictureWidth = 1200;
static constexpr unsigned margin = 12;
static constexpr unsigned headerHeight = 76;
static constexpr unsigned rowHeight = 19;
// Of the font of the labels.
static constexpr double characterWidth = 7.3;
static constexpr unsigned labelPadding = 5;
static constexpr unsigned hues = 12;
static constexpr unsigned shades = 3;

// Text that displayName() made, in XML.
static std::string escapeXml(StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

// Where the file or namespace ends that a function's name begins with; 0 if it has none. Arguments
// and type parameters may hold paths of other things.
static size_t groupEnd(StringRef name) {
  StringRef plain = name.take_until([](char c) { return c == '<' || c == '('; });
  for (StringRef separator : {"/", "::", "#", "."})
    if (size_t end = plain.rfind(separator); end != StringRef::npos && end > 0)
      return end + separator.size();
  return 0;
}

// The functions of a file are of one hue and of several shades.
static std::string colorClasses(StringRef name) {
  size_t end = groupEnd(name);
  StringRef group = end > 0 ? name.take_front(end) : name;
  return ("frame h" + Twine(xxh3_64bits(group) % hues) + " s" + Twine(xxh3_64bits(name) % shades))
      .str();
}

// What fits a width in pixels: the name, else its beginning without its file or namespace; nothing
// if hardly anything does. The script does the same.
static std::string fitLabel(StringRef name, double width) {
  auto room = size_t(std::max(0.0, (width - 2 * labelPadding) / characterWidth));
  // Bytes stand for characters here: it costs an accented letter some room.
  if (name.size() <= room)
    return name.str();
  if (room < 3)
    return "";
  name = name.drop_front(groupEnd(name));
  if (name.size() <= room)
    return name.str();
  size_t cut = room - 1;
  while (cut > 0 && (name[cut] & 0xc0) == 0x80)
    --cut;
  return (name.take_front(cut) + "…").str();
}

namespace {

class SvgWriter {
public:
  SvgWriter(const Profile &profile, raw_ostream &os)
      : profile_(profile), layout_(layOutFlames(profile)), os_(os) {}

  void write() {
    writeHead();
    os_ << "<g class=\"frames\" transform=\"translate(0 " << headerHeight << ")\">\n";
    for (const FlameFrame &frame : layout_.frames)
      writeFrame(frame);
    os_ << "</g>\n";
    writeHeader();
    os_ << "<script><![CDATA[\n" << svg::script << "]]></script>\n</svg>\n";
  }

private:
  std::string weight(uint64_t weight) const { return formatWeight(weight, profile_.unit()); }

  void writeHead() {
    unsigned height = headerHeight + layout_.levels * rowHeight + margin;
    os_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"warpo-flamegraph\" width=\""
        << pictureWidth << "\" height=\"" << height << "\" viewBox=\"0 0 " << pictureWidth << ' '
        << height << "\" data-total=\"" << layout_.total << "\" data-unit=\"" << profile_.unit()
        << "\" data-levels=\"" << layout_.levels << "\" data-row=\"" << rowHeight
        << "\" data-margin=\"" << margin << "\" data-padding=\"" << labelPadding << "\">\n"
        << "<title>" << title() << "</title>\n"
        << "<style><![CDATA[\n"
        << svg::style << "]]></style>\n"
        << "<defs><pattern id=\"warpo-hatch\" width=\"6\" height=\"6\" "
           "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
           "<path class=\"hatch\" d=\"M0 0V6\"/></pattern></defs>\n"
        << "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  }

  std::string title() const { return escapeXml(displayName(profile_.title)); }

  void writeHeader() {
    os_ << "<g class=\"header\">\n<rect class=\"paper\" width=\"100%\" height=\""
        << headerHeight - 4 << "\"/>\n"
        << "<text class=\"name\" x=\"" << margin << "\" y=\"28\">" << title() << "</text>\n"
        << "<text class=\"details\" x=\"" << margin << "\" y=\"56\">" << escapeXml(summary())
        << "</text>\n</g>\n";
  }

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

  struct Appearance {
    std::string classes;
    std::string name;
    std::string details;
  };

  Appearance appearanceOf(const FlameFrame &frame) const {
    std::string share =
        (Twine(weight(frame.weight)) + " (" + formatShare(frame.weight, layout_.total) + ")").str();
    if (frame.folded > 0)
      return {"frame rest",
              ("(" + Twine(formatWeight(frame.folded, "contexts")) + " too narrow)").str(),
              std::move(share)};
    if (frame.node == CallTree::root)
      return {"frame all", "all", weight(frame.weight)};
    std::string name = displayName(profile_.name(frame.node));
    std::string details = share + ", self " + weight(frame.self);
    if (profile_.weight != Weight::calls)
      details += (", " + Twine(formatWeight(profile_.tree[frame.node].calls, "calls"))).str();
    if (!profile_.isPseudo(frame.node))
      return {colorClasses(name), std::move(name), std::move(details)};
    return {name == "[lost]" ? "frame lost" : "frame rest", std::move(name), std::move(details)};
  }

  void writeFrame(const FlameFrame &frame) {
    auto [classes, name, details] = appearanceOf(frame);
    double scale = layout_.total ? double(pictureWidth - 2 * margin) / double(layout_.total) : 0;
    double x = margin + double(frame.start) * scale;
    double width = layout_.total ? double(frame.weight) * scale : pictureWidth - 2 * margin;
    unsigned y = frame.level * rowHeight;
    os_ << "<g class=\"" << classes << "\" data-level=\"" << frame.level << "\" data-start=\""
        << frame.start << "\" data-weight=\"" << frame.weight << "\" data-self=\"" << frame.self
        << "\"><title>" << escapeXml(name) << "\n"
        << escapeXml(details) << "</title><rect x=\"" << format("%.2f", x) << "\" y=\"" << y
        << "\" width=\"" << format("%.2f", width > 2 ? width - 0.5 : width * 0.75) << "\" height=\""
        << rowHeight - 1 << "\"/>";
    if (std::string label = fitLabel(name, width); !label.empty())
      os_ << "<text x=\"" << format("%.2f", x + labelPadding) << "\" y=\"" << y + 13 << "\">"
          << escapeXml(label) << "</text>";
    os_ << "</g>\n";
  }

  const Profile &profile_;
  FlameLayout layout_;
  raw_ostream &os_;
};

class SvgBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".svg"; }
  bool isBinary() const override { return false; }
  Error write(const Profile &profile, raw_ostream &os) override {
    SvgWriter(profile, os).write();
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<SvgBackend>
    registration("svg", "a flame graph to zoom and search in, for browsers");

} // namespace
