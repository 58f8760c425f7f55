//===- ReportPage.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ReportPage.h"
#include "Viewer.h"
#include "html/Resources.h"
#include "svg/Resources.h"
#include "llvm/Support/Base64.h"

using namespace llvm;
using namespace warpo;

static std::string replaceAll(StringRef text, StringRef what, StringRef by) {
  std::string result;
  while (true) {
    size_t at = text.find(what);
    result += text.take_front(at);
    if (at == StringRef::npos)
      return result;
    result += by;
    text = text.drop_front(at + what.size());
  }
}

static std::string escapeHtml(StringRef text) {
  return replaceAll(replaceAll(text, "&", "&amp;"), "<", "&lt;");
}

// Escapes text for an HTML comment, which `--` could end. The first replacement leaves pairs if
// there are more hyphens.
static std::string commentText(StringRef text) {
  return replaceAll(replaceAll(text, "--", "- -"), "--", "- -");
}

// speedscope's page without a profile; it receives one when its tab is opened.
static std::string viewerPage(const Viewer &viewer) {
  std::string font = "data:font/woff2;base64," + encodeBase64(viewer.font);
  return "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"UTF-8\">\n<style>\n" +
         replaceAll(viewer.style, viewer.fontUrl, font) + "</style>\n</head>\n<body>\n<script>\n" +
         html::startOfSpeedscope.str() + "</script>\n<script>\n" +
         replaceAll(viewer.script, "</script", "<\\/script") + "</script>\n</body>\n</html>\n";
}

static Error writeViewer(const Viewer &viewer, raw_ostream &os) {
  auto packed = packForPage(viewerPage(viewer));
  if (!packed)
    return packed.takeError();
  os << "<!--\nThe tab speedscope is https://www.speedscope.app, under this license:\n\n"
     << commentText(viewer.license) << "\nIts font is Source Code Pro, under this license:\n\n"
     << commentText(viewer.fontLicense)
     << "\n-->\n<script type=\"application/octet-stream\" id=\"warpo-speedscope\">" << *packed
     << "</script>\n";
  return Error::success();
}

Error warpo::writeReportPage(const ReportPage &page, raw_ostream &os) {
  auto packed = page.payload.encode();
  if (!packed)
    return packed.takeError();
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
     << escapeHtml(page.title) << "</title>\n<style>\n"
     << svg::style << html::style << "</style>\n</head>\n"
     << html::body << "<script type=\"application/octet-stream\" id=\"warpo-data\">" << *packed
     << "</script>\n";
  if (!page.timeline.empty())
    os << "<script type=\"application/octet-stream\" id=\"warpo-timeline\">" << page.timeline
       << "</script>\n";
  if (std::optional<Viewer> viewer = packedViewer(); viewer && page.withSpeedscope)
    if (Error error = writeViewer(*viewer, os))
      return error;
  os << "<script type=\"module\">\n" << html::script << "</script>\n</body>\n</html>\n";
  return Error::success();
}
