//===- CallKinds.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CallKinds.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

void FunctionSite::pushCallId(wasm::CodeSequence &code) const {
  if (idIsVariable)
    code.addedLocalGet();
  else
    code.i32Const(id | marks);
}

void FunctionSite::pushNegatedCallId(wasm::CodeSequence &code) const {
  if (idIsVariable)
    code.i32Const(0).addedLocalGet().raw("i32.sub"_op);
  else
    code.i32Const(-(id | marks));
}

Expected<CallKinds> CallKinds::create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                      ArrayRef<FunctionReport> functions,
                                      const BitVector &keptImports) {
  auto marked = wasm::referencedFunctions(module);
  if (!marked)
    return marked.takeError();
  for (const FunctionReport &function : functions) {
    if (idOffset(function.id) >= maxMarkedFunctions && function.id)
      return fileError(module.fileName,
                       "call-kinds: more than " + Twine(maxMarkedFunctions) + " functions");
    if (!function.id || (function.isImported && keptImports[function.index]))
      marked->reset(function.index);
  }
  wasm::GlobalRef marks = editor.addGlobal(wasm::ValueType::i32, /*isMutable=*/true, 0);
  return CallKinds(marks, std::move(*marked));
}

void CallKinds::editReference(wasm::ReferenceEdit &edit) const {
  edit.entry.i32Const(referenceMark).globalSet(marks_);
}

int32_t CallKinds::referencedId(const FunctionReport &function) const {
  return function.id | (function.isImported ? importMark : 0) |
         (marked_.test(function.index) ? referenceMark : 0);
}

void CallKinds::prepare(const FunctionReport &function, FunctionSite &site,
                        wasm::FunctionEdit &edit) const {
  site.marks = function.isImported ? importMark : 0;
  site.idIsVariable = marked_.test(function.index);
  if (!site.idIsVariable)
    return;
  edit.addedLocals = 1;
  edit.entry.i32Const(site.id | site.marks).globalGet(marks_).raw("i32.or"_op).addedLocalSet();
  edit.entry.i32Const(0).globalSet(marks_);
}

namespace {

class CallKindsInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs() const override { return {.callKinds = true}; }
  Error declare(ModuleDeclarations &) override { return Error::success(); }
};

warpo::Registry<Instrumentation>::Add<CallKindsInstrumentation>
    registration("call-kinds", "whether a function was called directly or by reference");

} // namespace
