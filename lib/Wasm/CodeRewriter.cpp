//===- CodeRewriter.cpp ---------------------------------------------------===//

#include "CodeRewriter.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {
enum : uint8_t { blockCode = 0x02, endCode = 0x0b, refFuncCode = 0xd2, emptyBlockType = 0x40 };
}

bool wasm::isReference(const Instruction &instruction) { return *instruction.begin == refFuncCode; }

// Puts what uses of function `old` go to in the place of its index, which begins at `begin` and has
// just been read.
void CodeRewriter::patchIndex(ByteCursor &cursor, const uint8_t *begin, const uint8_t *end,
                              uint32_t old, bool reference, Copier &copier) {
  if (!cursor.ok())
    return;
  if (old >= module_.functionCount())
    return cursor.failAt(begin, "function " + Twine(old) + ", of which there are " +
                                    Twine(module_.functionCount()));
  uint32_t target = reference ? indices_.reference(old) : indices_.call(old);
  if (target != indices_.function(old))
    ++(reference ? statistics_.redirectedReferences : statistics_.redirectedCalls);
  copier.replace(begin, end, old, target);
}

void CodeRewriter::patchInstruction(ByteCursor &cursor, const Instruction &instruction,
                                    Copier &copier) {
  if (instruction.firstImmediate() == ImmediateKind::function)
    patchIndex(cursor, instruction.immediates, instruction.end, instruction.index,
               isReference(instruction), copier);
}

void CodeRewriter::patchExpression(ByteCursor &cursor, Copier &copier) {
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    patchInstruction(cursor, instruction, copier);
}

void CodeRewriter::patchReference(ByteCursor &cursor, Copier &copier) {
  const uint8_t *begin = cursor.position();
  uint32_t function = cursor.uleb32();
  patchIndex(cursor, begin, cursor.position(), function, /*reference=*/true, copier);
}

void CodeRewriter::patchCall(ByteCursor &cursor, Copier &copier) {
  const uint8_t *begin = cursor.position();
  uint32_t function = cursor.uleb32();
  patchIndex(cursor, begin, cursor.position(), function, /*reference=*/false, copier);
}

void CodeRewriter::resolve(const CodeSequence &code, SmallVectorImpl<uint8_t> &out) const {
  out.clear();
  code.resolve([&](FunctionRef function) { return indices_.function(function); },
               [&](GlobalRef global) { return indices_.global(global); }, out);
}

// Puts a block's head at `at`, where the function's code begins in the output; returns its size.
size_t CodeRewriter::wrapBody(uint32_t function, size_t at) {
  uint32_t type = module_.functionTypes[function];
  const TypeList &results = module_.types[type]->results;
  SmallVector<uint8_t, 16> head;
  ByteWriter writer(head);
  writer.u8(blockCode);
  if (results.count == 0)
    writer.u8(emptyBlockType);
  else if (results.count == 1)
    writer.bytes(results.bytes);
  else
    writer.sleb(additions_.blockTypes[type]);
  writer_.insert(at, head);
  if (wrapped_.empty())
    wrapped_.resize(module_.functionCount());
  wrapped_[function] = true;
  return head.size();
}

Error CodeRewriter::rewriteBody(uint32_t function, const FunctionEdit &edit) {
  resolve(edit.entry, entry_);
  resolve(edit.exit, exit_);
  if (!entry_.empty() || !exit_.empty())
    ++statistics_.editedFunctions;

  const ByteRange &body = module_.bodies[function - module_.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  ByteWriter::Part part = writer_.beginPart(body.bytes.size() + entry_.size() + exit_.size());
  Copier copier(cursor, writer_);
  std::vector<CopiedRun> runs;
  if (movements_.isRequested(function))
    copier.recordRuns(&runs);
  skipLocals(cursor);
  copier.copyPassed();
  writer_.bytes(entry_);
  size_t codeBegin = writer_.size();

  auto writeExit = [&] {
    writer_.bytes(exit_);
    ++statistics_.exits;
  };
  bool insertExits = !exit_.empty();
  bool branchesOut = false;
  Instruction instruction;
  for (CodeWalker walker(cursor); walker.next(instruction);) {
    branchesOut |= instruction.leavesExpression;
    if (insertExits && (instruction.info->role == OpcodeRole::returns ||
                        instruction.info->role == OpcodeRole::tailCalls)) {
      copier.copyUpTo(instruction.begin);
      writeExit();
    }
    patchInstruction(cursor, instruction, copier);
  }
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail("code after the end of the function");
  if (Error error = cursor.takeError(module_.fileName))
    return error;

  // The last instruction is the function's `end`.
  if (insertExits) {
    copier.copyUpTo(instruction.begin);
    if (branchesOut) {
      writer_.u8(endCode);
      size_t headSize = wrapBody(function, codeBegin);
      for (CopiedRun &run : runs)
        if (run.newOffset >= codeBegin)
          run.newOffset += headSize;
    }
    writeExit();
  }
  copier.copyPassed();
  if (movements_.isRequested(function)) {
    for (CopiedRun &run : runs)
      run.newOffset -= part.begin;
    movements_.set(function, std::move(runs));
  }
  writer_.endPart(part);
  return Error::success();
}

void CodeRewriter::writeAddedBody(const CodeSequence &code) {
  resolve(code, entry_);
  ByteWriter::Part part = writer_.beginPart(entry_.size() + 2);
  writer_.uleb(0); // local variables
  writer_.bytes(entry_);
  writer_.u8(endCode);
  writer_.endPart(part);
}
