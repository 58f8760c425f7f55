//===- PagePayload.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PagePayload.h"
#include "../pprof/GzipStream.h"
#include "../svg/FramePicture.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;

PagePayload::PagePayload(function_ref<void(json::OStream &)> writeTexts) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os);
  json.object([&] { writeTexts(json); });
  json.flush();
  addPart(text);
}

void PagePayload::add(uint64_t number) {
  uint8_t bytes[10];
  bytes_.append(reinterpret_cast<char *>(bytes), encodeULEB128(number, bytes));
}

void PagePayload::addPart(StringRef text) {
  add(text.size());
  bytes_ += text;
}

void PagePayload::beginColumn(const Twine &name, size_t count) {
  SmallString<32> room;
  addPart(name.toStringRef(room));
  add(count);
}

void PagePayload::addColumn(const Twine &name, ArrayRef<uint64_t> numbers) {
  beginColumn(name, numbers.size());
  for (uint64_t number : numbers)
    add(number);
}

Expected<std::string> PagePayload::encode() const { return packForPage(bytes_); }

Expected<std::string> warpo::packForPage(StringRef bytes) {
  std::string packed;
  raw_string_ostream os(packed);
  GzipStream gzip(os);
  if (Error error = gzip.write(bytes))
    return error;
  if (Error error = gzip.finish())
    return error;
  os.flush();
  return encodeBase64(packed);
}

void warpo::writeFunctions(ArrayRef<Frame> frames, const SourceUrl &sourceUrl,
                           json::OStream &json) {
  json.attributeArray("functions", [&] {
    for (const Frame &frame : frames)
      json.object([&] {
        json.attribute("name", frame.name);
        if (!frame.module.empty())
          json.attribute("module", frame.module);
        if (!frame.file.empty())
          json.attribute("file", frame.file);
        if (frame.line > 0)
          json.attribute("line", frame.line);
        if (std::string url = sourceUrl.of(frame.file, frame.line); !url.empty())
          json.attribute("url", url);
        if (!frame.inlined.empty())
          json.attribute("contains", displayInlined({frame.inlined.begin(), frame.inlined.end()}));
        std::string classes = frame.isPseudo
                                  ? (frame.name == "[lost]" ? "frame lost" : "frame rest")
                                  : functionClasses(frame.name);
        json.attribute("classes", frame.isMostlyProbe ? classes + " probed" : classes);
      });
  });
}
