//===- CodeMap.h - From instrumented code back to the original ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Engines report positions in the instrumented module; places are those of the original.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PLACES_CODEMAP_H
#define WARPO_PLACES_CODEMAP_H

#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/ByteWriter.h"
#include <cstdint>
#include <vector>

namespace warpo {

struct CodeMap {
  /// From here on, bytes of the original were copied. Offsets count from the beginning of the code
  /// sections' contents.
  struct Run {
    uint32_t instrumented = 0;
    uint32_t original = 0;
  };

  /// Where the contents of the instrumented module's code section begin in its file.
  uint32_t code = 0;
  /// Where the last function of the original ends in them.
  uint32_t end = 0;
  /// Neither offset falls, and no two runs in a row are moved by the same.
  std::vector<Run> runs;

  /// Adds a run behind all others, unless it continues the last one.
  void add(uint32_t instrumented, uint32_t original);
  /// The original's offset of the instruction at this offset in the instrumented module's file; for
  /// inserted code that of the instruction behind it. 0 outside of the original's functions.
  uint32_t originalOf(uint64_t fileOffset) const;

  /// As docs/source-places.md has it.
  void write(ByteWriter &out) const;
  /// Reads to the cursor's end; fails it at more than `mostRuns`.
  static CodeMap read(ByteCursor &cursor, size_t mostRuns);
};

/// Writes what CodeMap::write() does, without a list of the runs.
class CodeMapEncoder {
public:
  explicit CodeMapEncoder(ByteWriter &out) : out_(out) {}

  /// To be called first.
  void begin(uint32_t code, uint32_t end) {
    out_.uleb(code);
    out_.uleb(end);
  }
  /// Adds a run behind all others, unless it continues the last one.
  void add(CodeMap::Run run);

private:
  ByteWriter &out_;
  CodeMap::Run last_;
  bool isEmpty_ = true;
};

} // namespace warpo

#endif
