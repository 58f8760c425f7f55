//===- ProcessedProfile.h - What files for the Firefox Profiler share -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Version 61 of the Firefox Profiler's processed format: its newest version that Perfetto reads as
// well. Newer versions of the profiler upgrade it when they load it. Tables are objects of columns;
// all times are milliseconds.
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

/// Indices into the list of categories, which give frames and markers their colours.
enum class Category : uint8_t { other, wasm, lost, suspended };

/// The tables that all threads share.
class SharedTables {
public:
  /// The number of a new frame, of a function of its own. Texts must outlive the tables. An empty
  /// file or line 0: unknown.
  uint32_t addFrame(llvm::StringRef name, Category category, llvm::StringRef file = "",
                    uint32_t line = 0);
  /// The number of a new frame, of the function of `frame`.
  uint32_t addFrameLike(uint32_t frame);
  /// Says which line a frame was executing, of the file of its function.
  void setExecutedLine(uint32_t frame, uint32_t line) { frames_[frame].executedLine = line; }
  /// Index into the strings of a frame's name.
  uint32_t stringOfFrame(uint32_t frame) const { return frames_[frame].function; }
  /// Index of a string that is no frame's name, among those given to write().
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

/// Room that a time may need.
inline constexpr size_t maxMilliseconds = 28;
/// Writes nanoseconds as milliseconds, `1.000300`; returns their end.
char *writeMilliseconds(char *at, uint64_t nanoseconds);

/// A column of a table, `"name":[1,2,3]`: ends with the object's life.
class ColumnWriter {
public:
  ColumnWriter(llvm::StringRef name, TextBuffer &out) : out_(out) {
    out_.append(("\"" + name + "\":[").str());
  }
  ~ColumnWriter() { out_.append("]"); }
  ColumnWriter(const ColumnWriter &) = delete;
  ColumnWriter &operator=(const ColumnWriter &) = delete;

  /// Adds a value of up to `size` bytes that `write` puts at the place it is given, returning its
  /// end.
  template <typename F> void add(size_t size, F write) {
    char *at = out_.reserve(size + 2);
    if (!isFirst_)
      *at++ = ',';
    isFirst_ = false;
    // A column of a million values in one line would be hard on every editor.
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
