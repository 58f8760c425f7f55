//===- CodeWalker.h - Steps through code, instruction by instruction ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEWALKER_H
#define WARPO_WASM_CODEWALKER_H

#include "warpo/Support/ByteCursor.h"
#include "warpo/Wasm/Opcode.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"

namespace warpo::wasm {

struct Instruction {
  const OpcodeInfo *info = nullptr;
  /// The first byte of the opcode, that of the immediates, and the byte behind them.
  const uint8_t *begin = nullptr;
  const uint8_t *immediates = nullptr;
  const uint8_t *end = nullptr;
  /// The number of open blocks around the instruction, not counting itself.
  uint32_t depth = 0;
  /// Whether one of its labels is that of the whole expression.
  bool leavesExpression = false;

  /// The first immediate, which must be a single unsigned number: an index or a count.
  uint32_t index() const {
    uint32_t value = *immediates & 0x7f;
    const uint8_t *byte = immediates;
    for (unsigned shift = 7; *byte++ >= 0x80; shift += 7)
      value |= uint32_t(*byte & 0x7f) << shift;
    return value;
  }
  ImmediateKind firstImmediate() const { return ImmediateKind(info->immediates & 0xff); }
  ImmediateKind secondImmediate() const { return ImmediateKind(info->immediates >> 8 & 0xff); }
};

/// Of an opcode whose instructions passShort() passes: its ShortForm and a cost, in one number, as
/// they are looked up for most instructions. By default there is none.
class PassedForm {
public:
  PassedForm() = default;
  PassedForm(const ShortForm &form, uint32_t cost)
      : bits_(uint64_t(cost) << 32 | form.longBits | form.size) {}

  size_t size() const { return uint8_t(bits_); }
  bool isLong(uint32_t bytes) const { return bytes & uint32_t(bits_) & ~0xffu; }
  uint32_t cost() const { return uint32_t(bits_ >> 32); }

private:
  uint64_t bits_ = 0;
};
/// By the first byte of the opcode.
using PassedForms = std::array<PassedForm, 256>;

/// Walks over one expression: the code of a function or a constant expression, up to its own `end`.
///
///   CodeWalker walker(cursor);
///   for (Instruction instruction; walker.next(instruction);)
///     …
///
/// Checks that every opcode is known, that blocks nest and that labels exist; not types.
class CodeWalker {
public:
  /// `cursor` is at the first instruction, and at the end behind the last. `labels`, if given,
  /// receives the labels of the instruction that next() has read, in their order.
  explicit CodeWalker(ByteCursor &cursor, llvm::SmallVectorImpl<uint32_t> *labels = nullptr)
      : cursor_(cursor), labels_(labels) {}

  /// Returns false behind the expression's `end` and if the cursor has failed. A module has some
  /// ten million instructions, and is walked over several times: this inlined path reads four of
  /// five of them without a call and without an unpredictable branch.
  bool next(Instruction &instruction) {
    if (LLVM_UNLIKELY(done_ || cursor_.remaining() < readAtOnce))
      return nextOfAnyForm(instruction);
    const uint8_t *begin = cursor_.position();
    const ShortForm &form = shortForms[*begin];
    if (!form.size || (llvm::support::endian::read32le(begin) & form.longBits))
      return nextOfLongForm(instruction);
    return pass(form.size, instruction);
  }

  /// Passes instructions of up to three bytes without control flow, as long as `forms` has the form
  /// of their opcode; it may stop earlier. next() goes on from there. `passed` is called with the
  /// cost of each.
  template <typename Passed> void passShort(const PassedForms &forms, Passed passed) {
    const uint8_t *begin = cursor_.position(), *at = begin, *end = begin + cursor_.remaining();
    auto passes = [&](PassedForm form, uint64_t bytes) {
      bool isPassed = form.size() && !form.isLong(uint32_t(bytes));
      if (isPassed)
        passed(form.cost());
      return isPassed;
    };
    // The place of an instruction depends on the size of the one before. Two for each access to
    // memory take less time. The second one's form is looked up at all three possible places, so
    // that this does not wait for the first one's size.
    while (size_t(end - at) >= 2 * readAtOnce) {
      uint64_t bytes = llvm::support::endian::read64le(at);
      PassedForm first = forms[uint8_t(bytes)], second = forms[uint8_t(bytes >> 8)];
      PassedForm behindTwo = forms[uint8_t(bytes >> 16)], behindThree = forms[uint8_t(bytes >> 24)];
      if (!passes(first, bytes))
        break;
      size_t size = first.size();
      second = size == 2 ? behindTwo : second;
      second = size == 3 ? behindThree : second;
      at += size;
      if (!passes(second, bytes >> 8 * size))
        break;
      at += second.size();
    }
    cursor_.advance(size_t(at - begin));
  }

private:
  static constexpr size_t readAtOnce = 4;

  // Passes an instruction of this size; the caller adjusts the depth and the labels.
  bool pass(size_t size, Instruction &instruction) {
    const uint8_t *begin = cursor_.position();
    cursor_.advance(size);
    instruction.info = &oneByteOpcodes[*begin];
    instruction.begin = begin;
    instruction.immediates = begin + 1;
    instruction.end = begin + size;
    instruction.depth = depth_;
    instruction.leavesExpression = false;
    if (labels_)
      labels_->clear();
    return true;
  }
  bool nextOfLongForm(Instruction &instruction);
  bool nextOfAnyForm(Instruction &instruction);
  void readImmediate(ImmediateKind kind, Instruction &instruction);
  void readLabel(Instruction &instruction);
  void readClauses(Instruction &instruction, ImmediateKind kind);

  ByteCursor &cursor_;
  llvm::SmallVectorImpl<uint32_t> *labels_;
  uint32_t depth_ = 0;
  bool done_ = false;
};

/// Skips the local declarations at the begin of a function's body; returns the number of declared
/// variables.
uint32_t skipLocals(ByteCursor &cursor);

/// Counts the instructions of an expression; moves the cursor behind it.
uint64_t countInstructions(ByteCursor &cursor);

} // namespace warpo::wasm

#endif
