//===- CodeRewriter.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeRewriter.h"
#include "warpo/Wasm/CodeTraits.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::wasm::code_traits;

static constexpr uint8_t exnrefType = 0x69;

bool wasm::isReference(const Instruction &instruction) {
  return *instruction.begin == "ref.func"_op;
}

// Replaces the index of function `old`, from `begin` to `end`, by the `target` of its uses.
void CodeRewriter::patchIndex(ByteCursor &cursor, const uint8_t *begin, const uint8_t *end,
                              uint32_t old, uint32_t (IndexMap::*target)(uint32_t) const,
                              Copier &copier) {
  if (!cursor.ok())
    return;
  if (old >= module_.functionCount())
    return cursor.failAt(begin, "function " + Twine(old) + ", but the module has only " +
                                    Twine(module_.functionCount()));
  uint32_t index = (indices_.*target)(old);
  if (module_.isImported(old) && index != indices_.function(old))
    ++(target == &IndexMap::reference ? statistics_.redirectedReferences
                                      : statistics_.redirectedCalls);
  copier.replace(begin, end, old, index);
}

void CodeRewriter::patchInstruction(ByteCursor &cursor, const Instruction &instruction,
                                    Copier &copier) {
  if (instruction.firstImmediate() == ImmediateKind::function)
    patchIndex(cursor, instruction.immediates, instruction.end, instruction.index(),
               isReference(instruction) ? &IndexMap::reference : &IndexMap::call, copier);
}

void CodeRewriter::patchExpression(ByteCursor &cursor, Copier &copier) {
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    patchInstruction(cursor, instruction, copier);
}

void CodeRewriter::patchReference(ByteCursor &cursor, Copier &copier) {
  const uint8_t *begin = cursor.position();
  uint32_t function = cursor.uleb32();
  patchIndex(cursor, begin, cursor.position(), function, &IndexMap::reference, copier);
}

void CodeRewriter::patchStart(ByteCursor &cursor, Copier &copier) {
  const uint8_t *begin = cursor.position();
  uint32_t function = cursor.uleb32();
  patchIndex(cursor, begin, cursor.position(), function, &IndexMap::start, copier);
}

void CodeRewriter::resolve(const CodeSequence &code, uint32_t addedLocal,
                           SmallVectorImpl<uint8_t> &out) const {
  out.clear();
  ByteWriter writer(out);
  indices_.resolve(code, addedLocal, writer);
}

// The number of a function's parameters and variables; a thunk has no variables.
uint32_t CodeRewriter::countLocals(uint32_t function) const {
  uint32_t parameters = module_.typeOf(function).params.count;
  if (module_.isImported(function))
    return parameters;
  ByteCursor cursor = module_.bodies[function - module_.importedFunctionCount()].cursor();
  return parameters + skipLocals(cursor);
}

// Gets the code to insert into a function, or into the thunk of an imported one.
void CodeRewriter::prepareEdit(uint32_t function) {
  functionEdit_.clear();
  edit_(function, functionEdit_);
  uint32_t addedLocal = functionEdit_.addedLocals ? countLocals(function) : 0;
  resolve(functionEdit_.entry, addedLocal, entry_);
  resolve(functionEdit_.exit, addedLocal, exit_);
  resolve(functionEdit_.returnExit, addedLocal, returnExit_);
  resolve(functionEdit_.exceptionExit, addedLocal, exceptionExit_);
}

// Writes the group of added variables, if any.
void CodeRewriter::writeAddedLocals() {
  if (!functionEdit_.addedLocals)
    return;
  writer_.uleb(functionEdit_.addedLocals);
  writer_.u8(uint8_t(ValueType::i32));
}

// Copies the declarations of variables, which are groups of the same type, and adds a group.
void CodeRewriter::writeLocals(ByteCursor &cursor, Copier &copier) {
  ByteCursor head = cursor;
  uint32_t groups = head.uleb32();
  if (functionEdit_.addedLocals)
    copier.replace(cursor.position(), head.position(), groups, groups + 1);
  skipLocals(cursor);
  copier.copyPassed();
  writeAddedLocals();
}

// Writes code that does not use added variables.
void CodeRewriter::insert(const CodeSequence &code) {
  indices_.resolve(code, /*addedLocal=*/0, writer_);
}

const CallSiteEdit *CodeRewriter::findCallSite(uint32_t caller,
                                               const Instruction &instruction) const {
  uint8_t opcode = *instruction.begin;
  CallSite site{caller, CallTarget::function, instruction.index(),
                instruction.info->role == OpcodeRole::tailCalls};
  if (instructionTraits[opcode] & callsReferenced) {
    site.target = CallTarget::reference;
    if (opcode == "call_indirect"_op || opcode == "return_call_indirect"_op) {
      ByteCursor immediates({instruction.immediates, instruction.end}, 0);
      immediates.uleb32(); // the type
      site.target = CallTarget::table;
      site.index = immediates.uleb32();
    }
  } else if ((opcode != "call"_op && opcode != "return_call"_op) ||
             !additions_.editedCallers[caller] || site.index >= module_.functionCount()) {
    return nullptr;
  }
  return additions_.callSiteEdits(site);
}

void CodeRewriter::editCallSite(ByteCursor &cursor, const Instruction &instruction,
                                const CallSiteEdit &edit, Copier &copier) {
  copier.copyUpTo(instruction.begin);
  insert(edit.before);
  if (edit.byReference)
    patchIndex(cursor, instruction.immediates, instruction.end, instruction.index(),
               &IndexMap::reference, copier);
  else
    patchInstruction(cursor, instruction, copier);
  copier.copyUpTo(instruction.end);
  insert(edit.after);
}

// Most instructions are copied whatever is inserted around them. They neither branch nor have an
// index that may change or that statistics are about.
std::array<bool, 256> CodeRewriter::findPlainOpcodes() {
  auto isPlain = [](uint8_t code) {
    const OpcodeInfo &info = oneByteOpcodes[code];
    if (!info.name || info.role != OpcodeRole::plain || instructionTraits[code])
      return false;
    for (uint32_t kinds = info.immediates; kinds; kinds >>= 8)
      if (auto kind = ImmediateKind(kinds & 0xff); kind == ImmediateKind::function ||
                                                   kind == ImmediateKind::table ||
                                                   kind == ImmediateKind::element)
        return false;
    return true;
  };
  std::array<bool, 256> plain{};
  for (unsigned code = 0; code != plain.size(); ++code)
    plain[code] = isPlain(uint8_t(code));
  return plain;
}

bool CodeRewriter::isSurrounded(const Instruction &instruction) const {
  return *instruction.begin == "call"_op && instruction.index() < additions_.surrounded.size() &&
         additions_.surrounded[instruction.index()];
}

void CodeRewriter::surroundCall(ByteCursor &cursor, const Instruction &instruction,
                                Copier &copier) {
  functionEdit_.clear();
  edit_(instruction.index(), functionEdit_);
  copier.copyUpTo(instruction.begin);
  insert(functionEdit_.entry);
  patchInstruction(cursor, instruction, copier);
  copier.copyUpTo(instruction.end);
  insert(functionEdit_.exit);
  ++statistics_.surroundedCalls;
}

void CodeRewriter::noteTraits(uint8_t traits) {
  statistics_.usesLegacyExceptions |= (traits & ofLegacyForm) != 0;
  statistics_.usesExnref |= (traits & ofExnrefForm) != 0;
  statistics_.usesReferences |= (traits & usesReferences) != 0;
  statistics_.usesContinuations |= (traits & usesContinuations) != 0;
  statistics_.usesTailCalls |= (traits & callsAtEnd) != 0;
}

// Whether the instruction may store into a table that may hold functions. Includes table.size,
// which does no harm.
bool CodeRewriter::storesFunctions(const Instruction &instruction) const {
  uint32_t table = 0;
  if (instruction.firstImmediate() == ImmediateKind::element) {
    if (instruction.secondImmediate() != ImmediateKind::table)
      return false; // elem.drop
    ByteCursor immediates(ArrayRef(instruction.immediates, instruction.end));
    immediates.uleb32();
    table = immediates.uleb32();
  } else if (instruction.firstImmediate() != ImmediateKind::table ||
             (*instruction.begin != "table.set"_op && !isOpcodePrefix(*instruction.begin))) {
    return false;
  } else {
    table = instruction.index();
  }
  const std::vector<bool> &known = additions_.tablesOfFunctions;
  return table >= known.size() || known[table];
}

// Writes the head of a block that has the results of a function type and no parameters.
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

// Opens the blocks around a body, so that branches to its own label lead to the exit at its end.
void CodeRewriter::writeWrapperHead(bool catches, uint32_t type, ByteWriter &writer) const {
  if (!catches) {
    writeBlockHead("block"_op, type, writer);
    return;
  }
  if (additions_.exceptionForm == ExceptionForm::legacy) {
    writeBlockHead("try"_op, type, writer);
    return;
  }
  const uint8_t handler[] = {"block"_op, exnrefType};
  writer.bytes(handler);
  writeBlockHead("try_table"_op, type, writer);
  // One clause: catch_all_ref, to the block around.
  const uint8_t clauses[] = {1, 3, 0};
  writer.bytes(clauses);
}

void CodeRewriter::writeReturnExit() {
  writer_.bytes(exit_);
  writer_.bytes(returnExit_);
}

// The counterpart of writeWrapperHead, including the exits.
void CodeRewriter::writeWrapperEnd(bool catches) {
  if (!catches) {
    writer_.u8("end"_op);
    writeReturnExit();
  } else if (additions_.exceptionForm == ExceptionForm::legacy) {
    writer_.u8("catch_all"_op);
    writer_.bytes(exit_);
    writer_.bytes(exceptionExit_);
    const uint8_t rethrow[] = {"rethrow"_op, 0, "end"_op};
    writer_.bytes(rethrow);
    writeReturnExit();
  } else {
    writer_.u8("end"_op);
    writeReturnExit();
    const uint8_t returning[] = {"return"_op, "end"_op};
    writer_.bytes(returning);
    writer_.bytes(exit_);
    writer_.bytes(exceptionExit_);
    writer_.u8("throw_ref"_op);
  }
}

// Finds the instructions of a body in front of which code is inserted.
void CodeRewriter::beginInsertions(uint32_t function, const ByteCursor &code) {
  if (!inserter_)
    return;
  uint32_t addedLocal = functionEdit_.addedLocals ? countLocals(function) : 0;
  inserter_->beginBody(function, module_.bodies[function - module_.importedFunctionCount()], code,
                       addedLocal);
}

void CodeRewriter::insertAt(const uint8_t *place, Copier &copier) {
  CodeInserter::Insertion insertion = inserter_->take();
  if (insertion.empty())
    return;
  copier.copyUpTo(place);
  inserter_->write(insertion, writer_);
}

bool CodeRewriter::findWhetherOnlyInserts() const {
  return indices_.keepsFunctions() && !additions_.callSiteEdits && additions_.surrounded.none();
}

// The traits of the body if it can be copied without being read.
std::optional<uint8_t> CodeRewriter::knownTraits() const {
  bool insertsExits = !exit_.empty() || !returnExit_.empty();
  return inserter_ && onlyInserts_ && !insertsExits ? inserter_->traits() : std::nullopt;
}

CodeRewriter::CopiedBody CodeRewriter::copyBlindly(uint8_t traits, ByteCursor &cursor,
                                                   Copier &copier) {
  while (const uint8_t *place = inserter_->place())
    insertAt(place, copier);
  cursor.advance(cursor.remaining());
  return {traits, /*branchesOut=*/false, cursor.position() - 1};
}

// Copies code with new indices and insertions, and code at its exits, but not at its end.
Expected<CodeRewriter::CopiedBody> CodeRewriter::copyBody(uint32_t function, ByteCursor &cursor,
                                                          Copier &copier) {
  const uint8_t *nextInsertion = inserter_ ? inserter_->place() : nullptr;
  bool insertExits = !exit_.empty() || !returnExit_.empty();
  CopiedBody copied;
  Instruction instruction;
  for (CodeWalker walker(cursor); walker.next(instruction);) {
    if (LLVM_UNLIKELY(instruction.begin == nextInsertion)) {
      insertAt(instruction.begin, copier);
      nextInsertion = inserter_->place();
    }
    if (LLVM_LIKELY(isPlain_[*instruction.begin]))
      continue;
    copied.branchesOut |= instruction.leavesExpression;
    copied.traits |= instructionTraits[*instruction.begin];
    if (LLVM_UNLIKELY(storesFunctions(instruction)))
      copied.traits |= usesReferences;
    if (insertExits && (instruction.info->role == OpcodeRole::returns ||
                        instruction.info->role == OpcodeRole::tailCalls)) {
      copier.copyUpTo(instruction.begin);
      writer_.bytes(exit_);
      if (instruction.info->role == OpcodeRole::returns)
        writer_.bytes(returnExit_);
      ++statistics_.exits;
    }
    if (LLVM_UNLIKELY(isSurrounded(instruction)))
      surroundCall(cursor, instruction, copier);
    else if (const CallSiteEdit *site =
                 additions_.callSiteEdits ? findCallSite(function, instruction) : nullptr)
      editCallSite(cursor, instruction, *site, copier);
    else
      patchInstruction(cursor, instruction, copier);
  }
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail("code after the end of the function");
  if (Error error = cursor.takeError(module_.fileName))
    return error;
  copied.last = instruction.begin;
  return copied;
}

Error CodeRewriter::rewriteBody(uint32_t function) {
  prepareEdit(function);
  if (!entry_.empty() || !exit_.empty())
    ++statistics_.editedFunctions;

  const ByteRange &body = module_.bodies[function - module_.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  ByteWriter::Part part = writer_.beginPart(body.bytes.size() + entry_.size() + exit_.size());
  Copier copier(cursor, writer_);
  size_t firstRun = moved_.runs.size();
  bool recordsRuns = movements_.isRequested(function);
  if (recordsRuns)
    copier.recordRuns(&moved_.runs, part.begin);
  writeLocals(cursor, copier);
  writer_.bytes(entry_);
  beginInsertions(function, cursor);
  std::optional<uint8_t> known = knownTraits();
  size_t codeBegin = writer_.size();
  // Unless the code is known, which blocks the body needs shows only at its end. Most functions
  // make calls, so the blocks for exceptions come first, and are removed if they are in vain; those
  // for branches are inserted later. Moving a body is cheaper than reading it twice.
  bool mayCatch = additions_.exceptionForm != ExceptionForm::none &&
                  (!exit_.empty() || !exceptionExit_.empty()) && (!known || (*known & mayThrow));
  if (mayCatch)
    writeWrapperHead(/*catches=*/true, module_.functionTypes[function], writer_);
  size_t headSize = writer_.size() - codeBegin;
  auto moveRuns = [&](ptrdiff_t distance) {
    for (CopiedRun &run : MutableArrayRef(moved_.runs).drop_front(firstRun))
      if (run.newOffset >= codeBegin - part.begin)
        run.newOffset += uint32_t(distance);
  };

  Expected<CopiedBody> copied =
      known ? copyBlindly(*known, cursor, copier) : copyBody(function, cursor, copier);
  if (!copied)
    return copied.takeError();
  noteTraits(copied->traits);
  if (!makesTailCalls_.empty())
    makesTailCalls_[function] = (copied->traits & callsAtEnd) != 0;

  bool catches = mayCatch && (copied->traits & mayThrow);
  if (mayCatch && !catches) {
    SmallVector<uint8_t, 0> code(writer_.writtenFrom(codeBegin + headSize));
    writer_.truncate(codeBegin);
    writer_.bytes(code);
    moveRuns(-ptrdiff_t(headSize));
  }
  bool insertExits = !exit_.empty() || !returnExit_.empty();
  if (insertExits || catches) {
    copier.copyUpTo(copied->last);
    if (copied->branchesOut || catches) {
      if (!catches) {
        SmallVector<uint8_t, 16> head;
        ByteWriter headWriter(head);
        writeWrapperHead(catches, module_.functionTypes[function], headWriter);
        writer_.insert(codeBegin, head);
        moveRuns(ptrdiff_t(head.size()));
      }
      writeWrapperEnd(catches);
      statistics_.catchingFunctions += catches;
    } else {
      writeReturnExit();
    }
    statistics_.exits += insertExits;
  }
  copier.copyPassed();
  uint64_t size = writer_.endPart(part);
  if (recordsRuns)
    moved_.bodies.push_back({function, firstRun, writer_.size() - size, uint32_t(size)});
  statistics_.largestBody = std::max(statistics_.largestBody, size);
  return Error::success();
}

MovedBodies CodeRewriter::takeMoves() {
  MovedBodies taken = std::move(moved_);
  // The next part of the code has about as many.
  moved_ = {};
  moved_.runs.reserve(taken.runs.size());
  moved_.bodies.reserve(taken.bodies.size());
  return taken;
}

// Pushes the arguments of a function.
void CodeRewriter::passArguments(uint32_t function) {
  for (uint32_t i = 0, count = module_.typeOf(function).params.count; i != count; ++i) {
    writer_.u8("local.get"_op);
    writer_.uleb(i);
  }
}

// Writes a call that passes on the arguments of `function`.
void CodeRewriter::writeCall(uint8_t opcode, uint32_t function, uint32_t index) {
  passArguments(function);
  writer_.u8(opcode);
  writer_.uleb(index);
}

void CodeRewriter::writeReferenceThunk(uint32_t function) {
  ReferenceEdit edit;
  additions_.referenceEdits({function, makesTailCalls_[function] != 0, statistics_}, edit);
  functionEdit_.clear();
  functionEdit_.addedLocals = edit.addedLocals;
  uint32_t addedLocal = module_.typeOf(function).params.count;
  auto write = [&](const CodeSequence &code) { indices_.resolve(code, addedLocal, writer_); };
  bool tailCalls = statistics_.usesTailCalls;
  ByteWriter::Part part = writer_.beginPart(0);
  writer_.u8(edit.addedLocals != 0); // groups of variables
  writeAddedLocals();
  write(edit.entry);
  if (tailCalls && !edit.tailCondition.empty()) {
    write(edit.tailCondition);
    const uint8_t head[] = {"if"_op, emptyBlockType};
    writer_.bytes(head);
    write(edit.tailEntry);
    writeCall("return_call"_op, function, indices_.call(function));
    writer_.u8("end"_op);
  }
  write(edit.ordinaryEntry);
  resolve(edit.exit, addedLocal, exit_);
  returnExit_.clear();
  resolve(edit.exceptionExit, addedLocal, exceptionExit_);
  writeCalling(function, indices_.call(function), tailCalls && exit_.empty());
  writer_.u8("end"_op);
  writer_.endPart(part);
}

// Writes a thunk's call, followed by its exits.
void CodeRewriter::writeCalling(uint32_t function, uint32_t index, bool isTail) {
  bool catches = additions_.exceptionForm != ExceptionForm::none && !exit_.empty();
  if (catches)
    writeWrapperHead(catches, module_.functionTypes[function], writer_);
  writeCall(isTail ? "return_call"_op : "call"_op, function, index);
  if (catches)
    writeWrapperEnd(catches);
  else
    writer_.bytes(exit_);
}

void CodeRewriter::writeFunction(const CodeMaker &code) {
  functionCode_.clear();
  code(functionCode_);
  ByteWriter::Part part = writer_.beginPart(0);
  writer_.u8(0); // groups of variables
  insert(functionCode_);
  writer_.u8("end"_op);
  writer_.endPart(part);
}

void CodeRewriter::writeThunk(uint32_t importedFunction) {
  prepareEdit(importedFunction);
  ByteWriter::Part part = writer_.beginPart(0);
  writer_.u8(functionEdit_.addedLocals != 0); // groups of variables
  writeAddedLocals();
  writer_.bytes(entry_);
  writeCalling(importedFunction, importedFunction, /*isTail=*/false);
  writer_.u8("end"_op);
  writer_.endPart(part);
}
