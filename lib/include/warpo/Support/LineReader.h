//===- LineReader.h - Reads text input line by line -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_LINEREADER_H
#define WARPO_SUPPORT_LINEREADER_H

#include "warpo/Support/InputStream.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>

namespace warpo {

/// Reads the lines of an input of any length, for text formats that are read in one pass.
class LineReader {
public:
  /// Longer lines are an error, so that an input without line ends does not exhaust the memory.
  static constexpr size_t maxLength = 1 << 20;

  explicit LineReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  /// The next line without its end (LF or CR LF), valid until the next call; nothing at the end of
  /// the input. Includes a last line without an end.
  llvm::Expected<std::optional<llvm::StringRef>> next();

  /// The number of the last line returned by next(), from 1 on.
  uint64_t lineNumber() const { return lineNumber_; }
  /// Whether the last line returned by next() had no end: the input may have been truncated there.
  bool lacksEnd() const { return lacksEnd_; }

  /// The beginning of a line.
  struct Place {
    uint64_t offset;
    uint64_t linesBefore;
  };
  Place nextPlace() const { return {input_->offset() + given_, lineNumber_}; }
  /// For an input that can seek().
  llvm::Error goTo(Place place);

  const InputStream &input() const { return *input_; }

private:
  std::unique_ptr<InputStream> input_;
  /// The part of the input's window that next() has not returned yet.
  llvm::StringRef rest_;
  size_t given_ = 0;
  uint64_t lineNumber_ = 0;
  bool lacksEnd_ = false;
};

} // namespace warpo

#endif
