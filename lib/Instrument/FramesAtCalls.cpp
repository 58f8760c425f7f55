//===- FramesAtCalls.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FramesAtCalls.h"
#include "CallInstructions.h"
#include "HeapCallers.h"
#include "WaysIn.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// A function with more calls that often report would probably make several of them each time it
/// runs.
static constexpr unsigned mostCalls = 4;

namespace {

/// What a function's code says about its calls.
struct CodeOfCalls {
  /// Calls that may often report, but for those of allocators that pass on frames.
  unsigned calls = 0;
  /// Whether such a call is made unconditionally or in a loop, any call is not a direct one to a
  /// function of the module, or the function grows something. After an allocator has failed, calls
  /// are neither often made nor need they be direct.
  bool isUnfit = false;
  bool catches = false;
};

} // namespace

static bool branches(uint8_t opcode) {
  return opcode == "if"_op || opcode == "br_if"_op || opcode == "br_table"_op;
}

/// Without returning.
static bool callsByReference(const wasm::Instruction &instruction) {
  return *instruction.begin == "call_indirect"_op || *instruction.begin == "call_ref"_op;
}

static CodeOfCalls readCode(const wasm::Module &module, const wasm::ByteRange &body,
                            const BitVector &often, const BitVector &passing) {
  CodeOfCalls result;
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  bool hasBranched = false;
  // The depth of the outermost open loop.
  bool isInLoop = false;
  uint32_t loop = 0;
  // Whether an allocator was called (in this loop, if it is one), and its result may have decided
  // whether the code goes on.
  bool hasAllocated = false, mayHaveFailed = false;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    uint8_t opcode = *instruction.begin;
    isInLoop = isInLoop && instruction.depth > loop;
    hasBranched |= branches(opcode);
    mayHaveFailed |= hasAllocated && branches(opcode);
    if (opcode == "loop"_op && !isInLoop) {
      isInLoop = true;
      loop = instruction.depth;
      hasAllocated = mayHaveFailed = false;
    } else if (opcode == "call"_op && instruction.index() < passing.size() &&
               passing.test(instruction.index())) {
      hasAllocated = true;
    } else if (callsByReference(instruction) && mayHaveFailed) {
      ++result.calls;
    } else if (opcode == "try"_op || opcode == "try_table"_op) {
      result.catches = true;
    } else if (growsOrCallsAny(instruction)) {
      result.isUnfit = true;
    } else if (opcode == "call"_op) {
      bool isOwn = instruction.index() >= module.importedFunctionCount();
      bool isOften = instruction.index() < often.size() && often.test(instruction.index());
      result.calls += isOften;
      bool isSeldom = mayHaveFailed || (hasBranched && !isInLoop);
      result.isUnfit |= !isOwn || (isOften && !isSeldom);
    }
  }
  return result;
}

/// Whether nothing is reported in a function's calls unless something grows there.
static bool reportsOnlyLate(const wasm::ByteRange &body, const BitVector &callers,
                            const BitVector &growing) {
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    bool reports = *instruction.begin == "call"_op && callers.test(instruction.index()) &&
                   !growing.test(instruction.index());
    if (reports || growsOrCallsAny(instruction))
      return false;
  }
  return true;
}

namespace {

/// Finds the part of a function that a test at its begin may pass over: `if … end`, or
/// `block … br_if 0 … end`.
class PartFinder {
public:
  /// `mayReport`: whether an instruction may report anything.
  using MayReport = function_ref<bool(const wasm::Instruction &)>;

  std::optional<FramesAtCalls::Part> find(const wasm::ByteRange &body, MayReport mayReport) {
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    SmallVector<uint32_t> labels;
    wasm::CodeWalker walker(cursor, &labels);
    for (wasm::Instruction instruction; walker.next(instruction);) {
      bool isWithin = state_ == State::within;
      if (mayReport(instruction) && !isWithin)
        return std::nullopt;
      bool fits = state_ == State::before  ? before(instruction)
                  : state_ == State::tests ? tests(instruction, labels)
                  : isWithin               ? within(instruction, labels)
                                           : true;
      if (!fits)
        return std::nullopt;
    }
    return state_ == State::behind ? std::optional(part_) : std::nullopt;
  }

private:
  static bool isPlain(const wasm::Instruction &instruction) {
    return instruction.info->role == wasm::OpcodeRole::plain;
  }
  bool before(const wasm::Instruction &instruction) {
    if (*instruction.begin == "block"_op)
      state_ = State::tests;
    else if (*instruction.begin == "if"_op)
      begin(instruction);
    else
      return isPlain(instruction);
    return true;
  }
  bool tests(const wasm::Instruction &instruction, ArrayRef<uint32_t> labels) {
    if (*instruction.begin != "br_if"_op)
      return isPlain(instruction);
    begin(instruction);
    return labels.front() == 0;
  }
  bool within(const wasm::Instruction &instruction, ArrayRef<uint32_t> labels) {
    constexpr uint32_t ownDepth = 1;
    if (instruction.depth == ownDepth && *instruction.begin == "end"_op) {
      part_.end = instruction.begin;
      state_ = State::behind;
    }
    bool isElse = instruction.depth == ownDepth && *instruction.begin == "else"_op;
    return !isElse && *instruction.begin != "return"_op &&
           all_of(labels, [&](uint32_t label) { return label + ownDepth < instruction.depth; });
  }
  void begin(const wasm::Instruction &instruction) {
    part_.begin = instruction.end;
    state_ = State::within;
  }

  enum class State : uint8_t { before, tests, within, behind } state_ = State::before;
  FramesAtCalls::Part part_;
};

} // namespace

Error FramesAtCalls::find(const ModuleFacts &facts, const BitVector &callers,
                          const BitVector &allocators, bool mayPassOn) {
  const wasm::Module &module = *facts.original;
  if (facts.reportsTraps || facts.marksCalls || facts.willBeOptimized || makesTailCalls(module))
    return Error::success();
  auto waysIn = findWaysIn(module, facts.leftOut);
  if (!waysIn)
    return waysIn.takeError();
  callers_ = callers;
  auto often = findHeapCallers(module, allocators, /*byGrowth=*/false);
  if (!often)
    return often.takeError();
  auto bodyOf = [&](uint32_t function) -> const wasm::ByteRange & {
    return module.bodies[function - module.importedFunctionCount()];
  };
  BitVector growing = callers_;
  growing.reset(*often);
  // They report nothing before their own frame.
  growing.reset(facts.leftOut);
  if (growing.anyCommon(*waysIn))
    growing.reset();
  BitVector passing(module.functionCount());
  for (uint32_t function : allocators.set_bits())
    if (mayPassOn && !facts.leftOut.test(function) && !waysIn->test(function) &&
        reportsOnlyLate(bodyOf(function), callers_, growing))
      passing.set(function);
  auto mayReport = [&](const wasm::Instruction &instruction) {
    return (*instruction.begin == "call"_op && callers_.test(instruction.index())) ||
           growsOrCallsAny(instruction);
  };
  DenseMap<uint32_t, Part> parts;
  std::vector<int32_t> ids(module.functionCount());
  int32_t id = facts.firstId;
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    if (facts.leftOut.test(i))
      continue;
    int32_t own = id++;
    if (i < module.importedFunctionCount())
      continue;
    CodeOfCalls code = readCode(module, bodyOf(i), *often, passing);
    if (code.catches)
      return Error::success();
    if (!callers.test(i) || waysIn->test(i))
      continue;
    if (code.calls <= mostCalls && !code.isUnfit) {
      ids[i] = own;
    } else if (mayPassOn && !allocators.test(i)) {
      auto part = PartFinder().find(bodyOf(i), mayReport);
      if (part)
        parts.try_emplace(i, Part{part->begin, part->end, own});
    }
  }
  waysIn_ = callers_;
  waysIn_ &= *waysIn;
  if (mayPassOn)
    findPending(facts, *waysIn, growing, allocators, ids);
  parts_ = std::move(parts);
  ids_ = std::move(ids);
  growing_ = std::move(growing);
  passing_ = std::move(passing);
  return Error::success();
}

void FramesAtCalls::findPending(const ModuleFacts &facts, const BitVector &waysIn,
                                const BitVector &growing, const BitVector &allocators,
                                ArrayRef<int32_t> ids) {
  imported_ = facts.original->importedFunctionCount();
  pending_ = callers_;
  pending_.reset(0, imported_);
  pending_.reset(waysIn).reset(facts.leftOut).reset(growing).reset(allocators);
  for (const auto &[function, id] : enumerate(ids))
    if (id != 0)
      pending_.reset(unsigned(function));
  if (pending_.any())
    leftOut_ = facts.leftOut;
}

bool FramesAtCalls::endsPending(uint32_t function, const wasm::Instruction &instruction) const {
  if (!anyPends() || !(pends(function) || (leftOut_.test(function) && !isWayIn(function))))
    return false;
  return mayLeavePending(instruction) ||
         (*instruction.begin == "call"_op &&
          (instruction.index() < imported_ || isWayIn(instruction.index())));
}

bool FramesAtCalls::mayLeavePending(const wasm::Instruction &instruction) const {
  if (!anyPends())
    return false;
  if (*instruction.begin != "call"_op)
    return callsAny(instruction);
  return instruction.index() < imported_ && leftOut_.test(instruction.index());
}

bool FramesAtCalls::passesNothing(uint32_t function, const wasm::Instruction &instruction) const {
  return *instruction.begin == "call"_op && passesOn(instruction.index()) && !has(function);
}

bool FramesAtCalls::endsLate(uint32_t function, const wasm::Instruction &instruction) const {
  return *instruction.begin == "call"_op && comesBehindLate(instruction.index()) &&
         !comesBehindLate(function);
}

void FramesAtCalls::insert(const wasm::Module &module, uint32_t function, Report before,
                           Report behind, wasm::CodeInsertions &insertions) const {
  const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
  ByteCursor cursor(body.bytes);
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    bool isNamed = *instruction.begin == "call"_op;
    if (isNamed ? !callers_.test(instruction.index()) : !callsByReference(instruction))
      continue;
    When when = !isNamed                               ? When::byReference
                : passesOn(instruction.index())        ? When::byAllocator
                : comesBehindLate(instruction.index()) ? When::late
                                                       : When::always;
    auto add = [&](const uint8_t *at, Report report) {
      report(ids_[function], when, insertions.at(uint32_t(at - body.bytes.begin())));
    };
    add(instruction.begin, before);
    add(instruction.end, behind);
  }
}
