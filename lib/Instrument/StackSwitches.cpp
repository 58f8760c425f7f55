//===- StackSwitches.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "StackSwitches.h"
#include "Landings.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/TracePoints.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

static bool leavesStack(uint8_t opcode) {
  switch (opcode) {
  case "suspend"_op:
  case "resume"_op:
  case "resume_throw"_op:
  case "resume_throw_ref"_op:
  case "switch"_op:
    return true;
  default:
    return false;
  }
}

// Resuming needs a continuation type, which is not a function type; suspending needs a tag.
static bool mayLeaveStack(const wasm::Module &module) {
  auto isNoFunction = [](const std::optional<wasm::FunctionType> &type) { return !type; };
  auto isTag = [](const wasm::Import &import) { return import.kind == wasm::ExternalKind::tag; };
  auto isOfTags = [](const wasm::Section &section) { return section.id == wasm::SectionId::tag; };
  return any_of(module.types, isNoFunction) || any_of(module.imports, isTag) ||
         any_of(module.sections, isOfTags);
}

static Expected<bool> leavesStack(const wasm::Module &module, const wasm::ByteRange &body) {
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  bool found = false;
  for (wasm::Instruction instruction; !found && walker.next(instruction);)
    found = leavesStack(*instruction.begin);
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return found;
}

static wasm::FunctionRef importHostCall(wasm::ModuleEditor &editor, wasm::HostCall call) {
  const wasm::HostCallInfo &info = wasm::hostCallInfo(call);
  return editor.importFunction(wasm::hostModule, info.name, info.params, info.results);
}

Expected<std::optional<StackSwitches>> StackSwitches::create(const wasm::Module &module,
                                                             wasm::ModuleEditor &editor,
                                                             std::optional<wasm::GlobalRef> fuel) {
  if (!mayLeaveStack(module))
    return std::nullopt;
  StackSwitches switches(module);
  switches.functions_.resize(module.functionCount());
  for (auto [i, body] : enumerate(module.bodies)) {
    auto leaves = leavesStack(module, body);
    if (!leaves)
      return leaves.takeError();
    switches.functions_[module.importedFunctionCount() + i] = *leaves;
  }
  if (switches.functions_.none())
    return std::nullopt;
  switches.fuel_ = fuel;
  switches.leave_ =
      importHostCall(editor, fuel ? wasm::HostCall::leaveStackFuel : wasm::HostCall::leaveStack);
  switches.enter_ = importHostCall(editor, wasm::HostCall::enterStack);
  return switches;
}

void StackSwitches::comeBack(uint8_t variable, const wasm::CodeSequence &behind,
                             wasm::CodeSequence &code) const {
  code.addedLocalGet(variable).raw({"if"_op, wasm::emptyBlockType});
  code.addedLocalGet(variable).call(enter_).i32Const(0).addedLocalSet(variable);
  code.append(behind).raw("end"_op);
}

void StackSwitches::edit(const wasm::CallSiteEdit &around, wasm::FunctionEdit &edit) const {
  uint8_t variable = edit.addedLocals++;
  wasm::CodeSequence exit;
  comeBack(variable, around.after, exit);
  edit.exit = exit.append(edit.exit);
}

// The code in front of an instruction of this opcode.
wasm::CodeSequence StackSwitches::leave(uint8_t opcode, uint8_t variable,
                                        const wasm::CodeSequence &before) const {
  wasm::CodeSequence code;
  if (opcode != "suspend"_op)
    code.append(before);
  if (opcode == "switch"_op)
    code.i32Const(wasm::stackIsReplaced).call(enter_);
  if (fuel_)
    code.globalGet(*fuel_);
  code.call(leave_).addedLocalSet(variable);
  return code;
}

void StackSwitches::insert(uint32_t function, uint8_t variable, const wasm::CallSiteEdit &around,
                           wasm::CodeInsertions &insertions) const {
  const wasm::ByteRange &body = module_->bodies[function - module_->importedFunctionCount()];
  wasm::CodeSequence back;
  comeBack(variable, around.after, back);

  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  SmallVector<uint32_t, 8> labels;
  wasm::CodeWalker walker(cursor, &labels);
  Landings landings(leavesStack);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    uint32_t offset = uint32_t(instruction.begin - body.bytes.begin());
    landings.follow(
        instruction, labels, offset,
        // The cost of code executed from then on belongs to this stack, not to the
        // other.
        [&](uint32_t place) { insertions.at(place, /*isBeforeRun=*/true).append(back); });
    if (uint8_t opcode = *instruction.begin; leavesStack(opcode))
      insertions.at(offset).append(leave(opcode, variable, around.before));
  }
}
