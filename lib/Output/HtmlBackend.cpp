//===- HtmlBackend.cpp - A page with a profile and its viewer inside ------===//
// SPDX-License-Identifier: Apache-2.0
//
// One file that works from disk and without the network: speedscope's page, its style, script and
// font inside, and the profile in speedscope's format. speedscope reads what is pasted into its
// page; the page pastes the profile as soon as speedscope listens.
//
//===----------------------------------------------------------------------===//

#include "html/Viewer.h"
#include "profile/SpeedscopeText.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/Base64.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral pasteScript = R"js(
(() => {
  const text = document.getElementById("warpo-profile").textContent;
  const paste = () => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    const event = new ClipboardEvent("paste", { clipboardData, cancelable: true });
    // Without its canvas speedscope forgets what it reads; who takes a paste, cancels it.
    if (!document.querySelector("canvas") || document.dispatchEvent(event))
      requestAnimationFrame(paste);
  };
  paste();
})();
)js";

namespace {

/// JSON inside a <script>: without any `<`, nothing in it can end the element.
class JsonInHtml : public raw_ostream {
public:
  explicit JsonInHtml(raw_ostream &os) : os_(os) {}
  ~JsonInHtml() override { flush(); }

private:
  void write_impl(const char *data, size_t size) override {
    StringRef text(data, size);
    position_ += size;
    while (true) {
      auto [plain, rest] = text.split('<');
      os_ << plain;
      if (plain.size() == text.size())
        return;
      os_ << "\\u003c";
      text = rest;
    }
  }
  uint64_t current_pos() const override { return position_; }

  raw_ostream &os_;
  uint64_t position_ = 0;
};

} // namespace

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

// Inside a comment, where `--` must not end it.
static std::string commentText(StringRef text) { return replaceAll(text, "--", "- -"); }

static void writeViewer(const Viewer &viewer, raw_ostream &os) {
  std::string font = "data:font/woff2;base64," + encodeBase64(viewer.font);
  os << "<!--\nThe viewer is speedscope, https://www.speedscope.app, under this license:\n\n"
     << commentText(viewer.license) << "\nIts font is Source Code Pro, under this license:\n\n"
     << commentText(viewer.fontLicense) << "-->\n<style>\n"
     << replaceAll(viewer.style, viewer.fontUrl, font) << "</style>\n</head>\n<body>\n"
     << "<noscript>This page needs JavaScript to show the profile.</noscript>\n<script>\n"
     << replaceAll(viewer.script, "</script", "<\\/script") << "</script>\n";
}

namespace {

class HtmlBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".html"; }
  bool isBinary() const override { return false; }

  Error write(const Profile &profile, raw_ostream &os) override {
    std::optional<Viewer> viewer = packedViewer();
    if (!viewer)
      return makeError("the format html needs speedscope, which was not there when warpo was "
                       "built: run `npm ci` in warpo's source folder, configure and build again; "
                       "or write the format speedscope and open it at https://www.speedscope.app");
    ContextList list(profile);
    if (list.contexts().empty())
      addNote("the profile is empty: speedscope will say so");
    os << "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"UTF-8\">\n<title>"
       << escapeHtml(list.title()) << "</title>\n";
    writeViewer(*viewer, os);
    os << "<script type=\"application/json\" id=\"warpo-profile\">\n";
    {
      JsonInHtml json(os);
      addNotes(writeSpeedscope(list, json));
    }
    os << "</script>\n<script>" << pasteScript << "</script>\n</body>\n</html>\n";
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<HtmlBackend>
    registration("html", "a page with speedscope inside, all weights in one file");

} // namespace
