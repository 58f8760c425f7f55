//===- FramePicture.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FramePicture.h"
#include "svg/Resources.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Utf8.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;

// Sizes of the static picture, in pixels.
static constexpr unsigned pictureWidth = 1200;
static constexpr unsigned margin = 12;
static constexpr unsigned headerHeight = 76;
static constexpr unsigned rowHeight = 19;
// Average width in the font of the labels.
static constexpr double characterWidth = 7.3;
static constexpr unsigned labelPadding = 5;
// Narrower frames have no stroke around them.
static constexpr double narrowFrame = 4;
static constexpr unsigned hues = 12;
static constexpr unsigned shades = 3;

// Escapes a result of displayName() for XML.
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

// The end of a method's receiver in Go, with its package, such as `main.(*Queue).` or
// `(*main.Queue).`; 0 for other names.
static size_t receiverEnd(StringRef name) {
  size_t open = name.find('('), close = name.find(").", open);
  bool isReceiver = close != StringRef::npos && close == name.find(')', open) &&
                    (open == 0 || name[open - 1] == '.') && close + 2 < name.size();
  return isReceiver ? close + 2 : 0;
}

// The end of the file or namespace at the beginning of a function's name; 0 if there is none. Does
// not look into arguments and type parameters, which may contain other paths.
static size_t groupEnd(StringRef name) {
  if (size_t end = receiverEnd(name))
    return end;
  StringRef plain = name.take_until([](char c) { return c == '<' || c == '(' || c == '['; });
  for (StringRef separator : {"/", "::", "#", "."})
    if (size_t end = plain.rfind(separator); end != StringRef::npos && end > 0)
      return end + separator.size();
  return 0;
}

std::string warpo::functionClasses(StringRef name) {
  size_t end = groupEnd(name);
  StringRef group = end > 0 ? name.take_front(end) : name;
  return ("frame h" + Twine(xxh3_64bits(group) % hues) + " s" + Twine(xxh3_64bits(name) % shades))
      .str();
}

std::string warpo::sourceDetails(StringRef file, uint32_t line,
                                 const std::vector<StringRef> &inlined) {
  std::string place = displayPlace(file, line), contents = displayInlined(inlined);
  return place + (place.empty() || contents.empty() ? "" : ", ") + contents;
}

// The text that fits into this many pixels: the name, or the name without file or namespace,
// possibly shortened; nothing if there is hardly any space. The script does nearly the same.
static std::string fitLabel(StringRef name, double width) {
  auto room = size_t(std::max(0.0, (width - 2 * labelPadding) / characterWidth));
  // Counts bytes, not characters: slightly too wide for accented letters.
  if (name.size() <= room)
    return name.str();
  if (room < 3)
    return "";
  name = name.drop_front(groupEnd(name));
  if (name.size() <= room)
    return name.str();
  return (takeCharacters(name, room - 1) + "…").str();
}

void FramePicture::writeHead() {
  unsigned height = headerHeight + info_.levels * rowHeight + margin;
  os_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"warpo-flamegraph\" width=\""
      << pictureWidth << "\" height=\"" << height << "\" viewBox=\"0 0 " << pictureWidth << ' '
      << height << "\" data-total=\"" << info_.total << "\" data-unit=\"" << info_.unit
      << "\" data-levels=\"" << info_.levels << "\" data-row=\"" << rowHeight << "\" data-margin=\""
      << margin << "\" data-padding=\"" << labelPadding << "\""
      << (info_.growsUp ? " data-grows-up=\"\"" : "") << ">\n"
      << "<title>" << escapeXml(info_.title) << "</title>\n"
      << "<style><![CDATA[\n"
      << svg::style << "]]></style>\n"
      << "<defs><pattern id=\"warpo-hatch\" width=\"6\" height=\"6\" "
         "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
         "<path class=\"hatch\" d=\"M0 0V6\"/></pattern></defs>\n"
      << "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
      << "<g class=\"frames\" transform=\"translate(0 " << headerHeight << ")\">\n";
}

void FramePicture::write(const PictureFrame &frame) {
  double scale = info_.total ? double(pictureWidth - 2 * margin) / double(info_.total) : 0;
  double x = margin + double(frame.start) * scale;
  double width = info_.total ? double(frame.weight) * scale : pictureWidth - 2 * margin;
  unsigned y = (info_.growsUp ? info_.levels - 1 - frame.level : frame.level) * rowHeight;
  std::string count = frame.count > 1 ? " ×" + groupDigits(frame.count) : "";
  os_ << "<g class=\"" << frame.classes << (width < narrowFrame ? " narrow" : "")
      << "\" data-level=\"" << frame.level << "\" data-start=\"" << frame.start
      << "\" data-weight=\"" << frame.weight << "\" data-self=\"" << frame.self;
  if (!count.empty())
    os_ << "\" data-count=\"" << count;
  if (frame.spent && *frame.spent != frame.weight)
    os_ << "\" data-spent=\"" << *frame.spent;
  os_ << "\"><title>" << escapeXml(frame.name) << "\n" << escapeXml(frame.details);
  if (!frame.source.empty())
    os_ << "\n" << escapeXml(frame.source);
  os_ << "</title>";
  if (!frame.url.empty())
    os_ << "<a href=\"" << escapeXml(frame.url) << "\" target=\"_blank\" rel=\"noopener\">";
  os_ << "<rect x=\"" << format("%.2f", x) << "\" y=\"" << y << "\" width=\""
      << format("%.2f", width > 2 ? width - 0.5 : width * 0.75) << "\" height=\"" << rowHeight - 1
      << "\"/>";
  if (std::string label = fitLabel(frame.name + count, width); !label.empty())
    os_ << "<text x=\"" << format("%.2f", x + labelPadding) << "\" y=\"" << y + 13 << "\">"
        << escapeXml(label) << "</text>";
  os_ << (frame.url.empty() ? "</g>\n" : "</a></g>\n");
}

void FramePicture::writeTail() {
  os_ << "</g>\n<g class=\"header\">\n<rect class=\"paper\" width=\"100%\" height=\""
      << headerHeight - 4 << "\"/>\n"
      << "<text class=\"name\" x=\"" << margin << "\" y=\"28\">" << escapeXml(info_.title)
      << "</text>\n"
      << "<text class=\"details\" x=\"" << margin << "\" y=\"56\">" << escapeXml(info_.summary)
      << "</text>\n</g>\n"
      << "<script><![CDATA[\n"
      << (info_.isTimeline ? StringRef(svg::rulerScript) : "") << svg::script
      << "]]></script>\n</svg>\n";
}
