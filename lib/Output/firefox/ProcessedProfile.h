//===- ProcessedProfile.h - Tables of Firefox Profiler files --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Version 61 of the Firefox Profiler's processed format, the newest one that Perfetto reads as
// well. Newer profilers upgrade it when loading. Tables are objects of columns; all times are
// milliseconds.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_FIREFOX_PROCESSEDPROFILE_H
#define WARPO_OUTPUT_FIREFOX_PROCESSEDPROFILE_H

#include "../text/TextBuffer.h"
#include "warpo/Slice/CallTree.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo::firefox {

/// Indices into the list of categories, which determine the colours of frames and markers.
enum class Category : uint8_t { other, wasm, lost, suspended };

/// The tables shared by all threads.
class SharedTables {
public:
  /// Adds a frame with a function of its own and returns its number. Texts must outlive the tables.
  /// An empty file or line 0: unknown.
  uint32_t addFrame(llvm::StringRef name, Category category, llvm::StringRef file = "",
                    uint32_t line = 0);
  /// Adds a frame with the function of `frame` and returns its number.
  uint32_t addFrameLike(uint32_t frame);
  /// Sets the line that a frame was executing, in the file of its function.
  void setExecutedLine(uint32_t frame, uint32_t line) { frames_[frame].executedLine = line; }
  /// The index of the frame's name in the string table.
  uint32_t stringOfFrame(uint32_t frame) const { return frames_[frame].function; }
  /// The index in the string table of one of the additional strings given to write().
  uint32_t stringOfExtra(uint32_t extra) const { return uint32_t(functions_.size()) + extra; }

  /// Writes `"shared":{...}`. The stacks are the nodes of `stacks` without its root, its functions
  /// are frames: node n is stack n - 1.
  void write(const CallTree &stacks, llvm::ArrayRef<llvm::StringRef> extraStrings,
             TextBuffer &out) const;

private:
  struct Function {
    llvm::StringRef name;
    /// An index into files_.
    std::optional<size_t> file;
    uint32_t line;
  };
  struct Frame {
    Category category;
    /// An index into functions_.
    uint32_t function;
    uint32_t executedLine = 0;
  };
  std::vector<Function> functions_;
  std::vector<Frame> frames_;
  std::vector<llvm::StringRef> files_;
  llvm::StringMap<size_t> fileOfName_;
};

/// Writes `"meta":{...}`. `markerSchema` is JSON.
void writeMeta(llvm::StringRef title, llvm::StringRef markerSchema, TextBuffer &out);

/// Maximum length of a time.
inline constexpr size_t maxMilliseconds = 28;
/// Writes nanoseconds as milliseconds, `1.000300`; returns the end of the text.
char *writeMilliseconds(char *at, uint64_t nanoseconds);

/// A column of a table, `"name":[1,2,3]`; the destructor closes it.
class ColumnWriter {
public:
  ColumnWriter(llvm::StringRef name, TextBuffer &out) : out_(out) {
    out_.append(("\"" + name + "\":[").str());
  }
  ~ColumnWriter() { out_.append("]"); }
  ColumnWriter(const ColumnWriter &) = delete;
  ColumnWriter &operator=(const ColumnWriter &) = delete;

  /// Adds a value of up to `size` bytes: `write` stores it at the given address and returns its
  /// end.
  template <typename F> void add(size_t size, F write) {
    char *at = out_.reserve(size + 2);
    if (!isFirst_)
      *at++ = ',';
    isFirst_ = false;
    // Editors struggle with a million values on one line.
    if (++inLine_ == 100) {
      inLine_ = 0;
      *at++ = '\n';
    }
    out_.advanceTo(write(at));
  }
  void add(llvm::StringRef json) {
    add(json.size(), [&](char *at) { return TextBuffer::copy(at, json); });
  }
  void add(uint64_t number);
  void addMilliseconds(uint64_t nanoseconds) {
    add(maxMilliseconds, [&](char *at) { return writeMilliseconds(at, nanoseconds); });
  }

private:
  TextBuffer &out_;
  bool isFirst_ = true;
  unsigned inLine_ = 0;
};

} // namespace warpo::firefox

#endif
