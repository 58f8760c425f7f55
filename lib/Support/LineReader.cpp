//===- LineReader.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/LineReader.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

Expected<std::optional<StringRef>> LineReader::next() {
  size_t end = rest_.find('\n');
  while (end == StringRef::npos) {
    input_->consume(given_);
    given_ = 0;
    size_t searched = rest_.size();
    auto window = input_->window(searched + 1);
    if (!window)
      return window.takeError();
    rest_ = toStringRef(*window);
    if (rest_.size() == searched)
      break;
    end = rest_.find('\n', searched);
    if (end == StringRef::npos && rest_.size() > maxLength)
      return lineError(input_->name(), lineNumber_ + 1,
                       "the line is longer than " + Twine(maxLength) + " bytes");
  }
  if (rest_.empty())
    return std::nullopt;
  lacksEnd_ = end == StringRef::npos;
  StringRef line = rest_.take_front(end);
  size_t length = lacksEnd_ ? rest_.size() : end + 1;
  rest_ = rest_.drop_front(length);
  given_ += length;
  ++lineNumber_;
  line.consume_back("\r");
  return line;
}

Error LineReader::goTo(Place place) {
  rest_ = {};
  given_ = 0;
  lacksEnd_ = false;
  lineNumber_ = place.linesBefore;
  return input_->seek(place.offset);
}
