//===- CodeInsertions.h - Code to insert into one body --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEINSERTIONS_H
#define WARPO_WASM_CODEINSERTIONS_H

#include "warpo/Wasm/CodeSequence.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <tuple>
#include <vector>

namespace warpo::wasm {

/// Code in front of instructions of a body. It must not change the stack, and may use the variables
/// that the function's edit adds. All is one sequence, since a module can get a million insertions.
class CodeInsertions {
public:
  struct Place {
    /// Of the instruction, from the first byte of the body's local declarations.
    uint32_t offset = 0;
    /// Whether the code is inserted before, not behind, that for a straight run that begins there.
    bool isBeforeRun = false;
    CodeSequence::Range code;
  };

  void clear() {
    places_.clear();
    code_.clear();
    traits_.reset();
  }
  /// Begins an insertion, behind others at the same place. The caller appends its code to the
  /// result before the next call.
  CodeSequence &at(uint32_t offset, bool isBeforeRun = false) {
    end();
    places_.push_back({offset, isBeforeRun, {code_.end(), code_.end()}});
    return code_;
  }
  /// Says that the body has been walked over: it has these CodeTraits, ends with its `end`, and
  /// only names functions that exist. If nothing else changes in it, it is then copied blindly.
  void setTraits(uint8_t traits) { traits_ = traits; }
  std::optional<uint8_t> traits() const { return traits_; }

  /// To be called once, behind the last insertion: sorts them by offset.
  void finish() {
    end();
    auto isBefore = [](const Place &left, const Place &right) {
      return std::tuple(left.offset, left.code.begin.bytes) <
             std::tuple(right.offset, right.code.begin.bytes);
    };
    if (!llvm::is_sorted(places_, isBefore))
      llvm::sort(places_, isBefore);
  }
  llvm::ArrayRef<Place> places() const { return places_; }
  const CodeSequence &code() const { return code_; }

private:
  void end() {
    if (!places_.empty())
      places_.back().code.end = code_.end();
  }

  std::vector<Place> places_;
  CodeSequence code_;
  std::optional<uint8_t> traits_;
};

} // namespace warpo::wasm

#endif
