//===- YamlSource.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlSource.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

std::string YamlSource::placeOfLine(uint64_t line) const {
  return (lines_.input().name() + ":" + Twine(line)).str();
}

Error YamlSource::problem(const Twine &message) const {
  return lineError(lines_.input().name(), lines_.lineNumber(), message);
}

std::optional<StreamIndex> YamlSource::streamOf(uint64_t moduleId, StringRef name) {
  std::pair<uint64_t, std::string> key(moduleId, name.str());
  if (auto known = streamOfName_.find(key); known != streamOfName_.end())
    return known->second;
  std::optional<StreamIndex> stream = addStream({moduleId, name.str()});
  if (stream)
    streamOfName_.emplace(std::move(key), *stream);
  return stream;
}

StreamIndex YamlSource::currentStream() {
  if (LLVM_UNLIKELY(!current_))
    current_ = *streamOf(/*moduleId=*/0, "");
  return *current_;
}

Error YamlSource::enterFrame(RecordedStack frame, uint32_t &stack) {
  auto key = std::tuple(frame.parent, frame.moduleId, frame.id, frame.text, frame.offset);
  auto known = stacks_.find(key);
  if (known == stacks_.end()) {
    std::optional<uint32_t> added = addStack(std::move(frame));
    if (!added)
      return problem("more than " + Twine(maxStacks) + " stacks in one record");
    known = stacks_.emplace(std::move(key), *added).first;
  }
  stack = known->second;
  return Error::success();
}

Error YamlSource::readFrames(LineCursor &line, uint32_t &stack) {
  while (line.take(",")) {
    RecordedStack frame{.parent = stack};
    if (line.take("[")) {
      if (!line.takeNumber(frame.moduleId) || !line.take(",") || !line.takeNumber(frame.id) ||
          !line.take("]") || frame.id <= 0)
        return problem("expected a frame '[<module>, <id>]'");
    } else if (!line.takeText(frame.text, ",]") || frame.text.empty()) {
      return problem("expected a frame '[<module>, <id>]' or a text");
    }
    if (Error error = enterFrame(std::move(frame), stack))
      return error;
  }
  return Error::success();
}
