//===- CodeInsertions.h - Code to insert into one body --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEINSERTIONS_H
#define WARPO_WASM_CODEINSERTIONS_H

#include "warpo/Wasm/CodeSequence.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
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
    /// Code that is inserted many times, instead of `code`; `shift` is added to the indices of the
    /// globals that it names.
    const CodeSequence *shared = nullptr;
    uint32_t shift = 0;
    /// Counts insertions in the order in which they were made.
    uint32_t number = 0;

    bool empty() const { return shared ? shared->empty() : code.empty(); }
  };

  void clear() {
    places_.clear();
    code_.clear();
    traits_.reset();
  }
  /// Begins an insertion, behind others at the same place. The caller appends its code to the
  /// result before the next call.
  CodeSequence &at(uint32_t offset, bool isBeforeRun = false) {
    add({offset, isBeforeRun, {code_.end(), code_.end()}});
    return code_;
  }
  /// An insertion without a copy of its code, which must outlive this.
  void insert(uint32_t offset, const CodeSequence &code, uint32_t shift) {
    add({offset, false, {code_.end(), code_.end()}, &code, shift});
  }
  /// Says that the body has been walked over: it has these CodeTraits, ends with its `end`, and
  /// only names functions that exist. If nothing else changes in it, it is then copied blindly.
  void setTraits(uint8_t traits) { traits_ = traits; }
  std::optional<uint8_t> traits() const { return traits_; }

  /// To be called once, behind the last insertion: sorts them by offset.
  void finish() {
    end();
    auto isBefore = [](const Place &left, const Place &right) {
      return left.offset == right.offset ? left.number < right.number : left.offset < right.offset;
    };
    // Not std::stable_sort: libstdc++ allocates its buffer by a deprecated function.
    if (!llvm::is_sorted(places_, isBefore))
      llvm::sort(places_, isBefore);
  }
  llvm::ArrayRef<Place> places() const { return places_; }
  const CodeSequence &code() const { return code_; }

private:
  void add(const Place &place) {
    end();
    places_.push_back(place);
    places_.back().number = uint32_t(places_.size());
  }
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
