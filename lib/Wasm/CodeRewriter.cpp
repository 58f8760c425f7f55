//===- CodeRewriter.cpp ---------------------------------------------------===//

#include "CodeRewriter.h"
#include <array>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

enum : uint8_t {
  blockCode = 0x02,
  tryCode = 0x06,
  rethrowCode = 0x09,
  throwRefCode = 0x0a,
  endCode = 0x0b,
  returnCode = 0x0f,
  callCode = 0x10,
  returnCallCode = 0x12,
  catchAllCode = 0x19,
  tryTableCode = 0x1f,
  localGetCode = 0x20,
  exnrefType = 0x69,
  refFuncCode = 0xd2,
  emptyBlockType = 0x40,
};

// What an instruction, by its first byte, has to do with exceptions.
enum : uint8_t { ofLegacyForm = 1, ofExnrefForm = 2, mayThrow = 4 };

constexpr std::array<uint8_t, 256> exceptionTraits = [] {
  std::array<uint8_t, 256> traits{};
  for (uint8_t code : {0x06, 0x07, 0x09, 0x18, 0x19}) // try catch rethrow delegate catch_all
    traits[code] = ofLegacyForm;
  for (uint8_t code : {0x0a, 0x1f}) // throw_ref try_table
    traits[code] = ofExnrefForm;
  for (uint8_t code : {0x08, 0x09, 0x0a, 0x10, 0x11, 0x14}) // throw… call call_indirect call_ref
    traits[code] |= mayThrow;
  for (uint8_t code = 0xe0; code <= 0xe6;
       ++code) // continuations: what they throw comes out of them
    traits[code] |= mayThrow;
  return traits;
}();

} // namespace

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
  if (module_.isImported(old) && target != indices_.function(old))
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

void CodeRewriter::resolve(const CodeSequence &code, uint32_t addedLocal,
                           SmallVectorImpl<uint8_t> &out) const {
  out.clear();
  indices_.resolve(code, addedLocal, out);
}

// How many parameters and variables a function has; the thunk of an imported one has no variables.
uint32_t CodeRewriter::countLocals(uint32_t function) const {
  uint32_t parameters = module_.typeOf(function).params.count;
  if (module_.isImported(function))
    return parameters;
  ByteCursor cursor = module_.bodies[function - module_.importedFunctionCount()].cursor();
  return parameters + skipLocals(cursor);
}

// Asks what to insert into a function, or into the thunk of an imported one.
void CodeRewriter::prepareEdit(uint32_t function) {
  functionEdit_.clear();
  edit_(function, functionEdit_);
  uint32_t addedLocal = functionEdit_.addsLocal ? countLocals(function) : 0;
  resolve(functionEdit_.entry, addedLocal, entry_);
  resolve(functionEdit_.exit, addedLocal, exit_);
}

// A group of one variable, an i32.
static constexpr uint8_t oneI32[] = {1, 0x7f};

// Copies the declarations of variables, groups of the same type, with the one that is added.
void CodeRewriter::writeLocals(ByteCursor &cursor, Copier &copier) {
  ByteCursor head = cursor;
  uint32_t groups = head.uleb32();
  if (functionEdit_.addsLocal)
    copier.replace(cursor.position(), head.position(), groups, groups + 1);
  skipLocals(cursor);
  copier.copyPassed();
  if (functionEdit_.addsLocal)
    writer_.bytes(oneI32);
}

bool CodeRewriter::isSurrounded(const Instruction &instruction) const {
  return *instruction.begin == callCode && instruction.index < additions_.surrounded.size() &&
         additions_.surrounded[instruction.index];
}

void CodeRewriter::surroundCall(ByteCursor &cursor, const Instruction &instruction,
                                Copier &copier) {
  functionEdit_.clear();
  edit_(instruction.index, functionEdit_);
  copier.copyUpTo(instruction.begin);
  resolve(functionEdit_.entry, /*addedLocal=*/0, around_);
  writer_.bytes(around_);
  patchInstruction(cursor, instruction, copier);
  copier.copyUpTo(instruction.end);
  resolve(functionEdit_.exit, /*addedLocal=*/0, around_);
  writer_.bytes(around_);
  ++statistics_.surroundedCalls;
}

void CodeRewriter::noteExceptions(uint8_t traits) {
  statistics_.usesLegacyExceptions |= (traits & ofLegacyForm) != 0;
  statistics_.usesExnref |= (traits & ofExnrefForm) != 0;
}

// The head of a block without parameters whose results are those of a function type.
void CodeRewriter::writeBlockHead(uint8_t opcode, uint32_t type, ByteWriter &writer) const {
  const TypeList &results = module_.types[type]->results;
  writer.u8(opcode);
  if (results.count == 0)
    writer.u8(emptyBlockType);
  else if (results.count == 1)
    writer.bytes(results.bytes);
  else
    writer.sleb(additions_.blockTypes[type]);
}

// What stands before a body whose own label is to come before the last exit; returns how many
// labels that opens.
uint8_t CodeRewriter::writeWrapperHead(bool catches, uint32_t type, ByteWriter &writer) const {
  if (!catches) {
    writeBlockHead(blockCode, type, writer);
    return 1;
  }
  if (additions_.exceptionForm == ExceptionForm::legacy) {
    writeBlockHead(tryCode, type, writer);
    return 1;
  }
  const uint8_t handler[] = {blockCode, exnrefType};
  writer.bytes(handler);
  writeBlockHead(tryTableCode, type, writer);
  // One clause: catch_all_ref, to the block around.
  const uint8_t clauses[] = {1, 3, 0};
  writer.bytes(clauses);
  return 2;
}

// The counterpart of writeWrapperHead, with the exits.
void CodeRewriter::writeWrapperEnd(bool catches) {
  if (!catches) {
    writer_.u8(endCode);
    writer_.bytes(exit_);
  } else if (additions_.exceptionForm == ExceptionForm::legacy) {
    writer_.u8(catchAllCode);
    writer_.bytes(exit_);
    const uint8_t rethrow[] = {rethrowCode, 0, endCode};
    writer_.bytes(rethrow);
    writer_.bytes(exit_);
  } else {
    writer_.u8(endCode);
    writer_.bytes(exit_);
    const uint8_t returning[] = {returnCode, endCode};
    writer_.bytes(returning);
    writer_.bytes(exit_);
    writer_.u8(throwRefCode);
  }
}

// Finds the straight runs of a body, if there is anything to insert; returns where the first
// begins.
const uint8_t *CodeRewriter::beginRuns(const ByteCursor &code) {
  if (!runs_)
    return nullptr;
  runs_->beginBody(code);
  return runs_->place();
}

void CodeRewriter::insertRun(const Instruction &first, Copier &copier) {
  ArrayRef<uint8_t> code = runs_->take();
  if (code.empty())
    return;
  copier.copyUpTo(first.begin);
  writer_.bytes(code);
  ++statistics_.runs;
}

Error CodeRewriter::rewriteBody(uint32_t function) {
  prepareEdit(function);
  if (!entry_.empty() || !exit_.empty())
    ++statistics_.editedFunctions;
  addedLabels_[function] = functionEdit_.entryLabels;

  const ByteRange &body = module_.bodies[function - module_.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  ByteWriter::Part part = writer_.beginPart(body.bytes.size() + entry_.size() + exit_.size());
  Copier copier(cursor, writer_);
  std::vector<CopiedRun> runs;
  if (movements_.isRequested(function))
    copier.recordRuns(&runs);
  writeLocals(cursor, copier);
  writer_.bytes(entry_);
  size_t codeBegin = writer_.size();
  const uint8_t *nextRun = beginRuns(cursor);

  bool insertExits = !exit_.empty();
  bool branchesOut = false;
  uint8_t traits = 0;
  Instruction instruction;
  for (CodeWalker walker(cursor); walker.next(instruction);) {
    if (LLVM_UNLIKELY(instruction.begin == nextRun)) {
      insertRun(instruction, copier);
      nextRun = runs_->place();
    }
    branchesOut |= instruction.leavesExpression;
    traits |= exceptionTraits[*instruction.begin];
    statistics_.usesTailCalls |= instruction.info->role == OpcodeRole::tailCalls;
    if (insertExits && (instruction.info->role == OpcodeRole::returns ||
                        instruction.info->role == OpcodeRole::tailCalls)) {
      copier.copyUpTo(instruction.begin);
      writer_.bytes(exit_);
      ++statistics_.exits;
    }
    if (LLVM_UNLIKELY(isSurrounded(instruction)))
      surroundCall(cursor, instruction, copier);
    else
      patchInstruction(cursor, instruction, copier);
  }
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail("code after the end of the function");
  if (Error error = cursor.takeError(module_.fileName))
    return error;
  noteExceptions(traits);

  // The last instruction is the function's `end`.
  if (insertExits) {
    copier.copyUpTo(instruction.begin);
    bool catches = additions_.exceptionForm != ExceptionForm::none && (traits & mayThrow);
    if (branchesOut || catches) {
      // Only now is it known what the body needs, and moving it costs less than reading it twice.
      SmallVector<uint8_t, 16> head;
      ByteWriter headWriter(head);
      uint8_t labels = writeWrapperHead(catches, module_.functionTypes[function], headWriter);
      writer_.insert(codeBegin, head);
      for (CopiedRun &run : runs)
        if (run.newOffset >= codeBegin)
          run.newOffset += head.size();
      addedLabels_[function] += labels;
      writeWrapperEnd(catches);
      statistics_.catchingFunctions += catches;
    } else {
      writer_.bytes(exit_);
    }
    ++statistics_.exits;
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

// Puts the arguments that a function was given on the stack.
void CodeRewriter::passArguments(uint32_t function) {
  for (uint32_t i = 0, count = module_.typeOf(function).params.count; i != count; ++i) {
    writer_.u8(localGetCode);
    writer_.uleb(i);
  }
}

void CodeRewriter::writeReferenceThunk(uint32_t function, bool tailCalls) {
  ByteWriter::Part part = writer_.beginPart(0);
  writer_.u8(0); // groups of variables
  resolve(additions_.referenceEntry, /*addedLocal=*/0, around_);
  writer_.bytes(around_);
  passArguments(function);
  writer_.u8(tailCalls ? returnCallCode : callCode);
  writer_.uleb(indices_.call(function));
  writer_.u8(endCode);
  writer_.endPart(part);
}

void CodeRewriter::writeThunk(uint32_t importedFunction) {
  prepareEdit(importedFunction);
  uint32_t type = module_.functionTypes[importedFunction];
  ByteWriter::Part part = writer_.beginPart(0);
  writer_.u8(functionEdit_.addsLocal); // groups of variables
  if (functionEdit_.addsLocal)
    writer_.bytes(oneI32);
  writer_.bytes(entry_);
  bool catches = additions_.exceptionForm != ExceptionForm::none && !exit_.empty();
  if (catches)
    writeWrapperHead(catches, type, writer_);
  passArguments(importedFunction);
  writer_.u8(callCode);
  writer_.uleb(importedFunction);
  if (catches)
    writeWrapperEnd(catches);
  else
    writer_.bytes(exit_);
  writer_.u8(endCode);
  writer_.endPart(part);
}
