//===- CallKinds.cpp ------------------------------------------------------===//

#include "CallKinds.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/ReferencedFunctions.h"

using namespace llvm;
using namespace warpo;

enum Opcode : uint8_t { i32Sub = 0x6b, i32Or = 0x72 };

void FunctionSite::pushCallId(wasm::CodeSequence &code) const {
  if (idIsVariable)
    code.addedLocalGet();
  else
    code.i32Const(id | marks);
}

void FunctionSite::pushNegatedCallId(wasm::CodeSequence &code) const {
  if (idIsVariable)
    code.i32Const(0).addedLocalGet().raw(i32Sub);
  else
    code.i32Const(-(id | marks));
}

Expected<CallKinds> CallKinds::create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                      ArrayRef<FunctionReport> functions,
                                      const BitVector &keptImports) {
  auto telling = wasm::referencedFunctions(module);
  if (!telling)
    return telling.takeError();
  std::vector<uint32_t> redirected;
  for (const FunctionReport &function : functions) {
    if (idOffset(function.id) >= maxMarkedFunctions && function.id)
      return fileError(module.fileName,
                       "call-kinds: more than " + Twine(maxMarkedFunctions) + " functions");
    if (!function.id || (function.isImported && keptImports[function.index]))
      telling->reset(function.index);
    else if (telling->test(function.index))
      redirected.push_back(function.index);
  }
  wasm::GlobalRef marks = editor.addGlobal(wasm::ValueType::i32, /*isMutable=*/true, 0);
  wasm::CodeSequence entry;
  entry.i32Const(referenceMark).globalSet(marks);
  editor.redirectReferences(redirected, entry);
  return CallKinds(marks, std::move(*telling));
}

void CallKinds::prepare(const FunctionReport &function, FunctionSite &site,
                        wasm::FunctionEdit &edit) const {
  site.marks = function.isImported ? importMark : 0;
  site.idIsVariable = telling_.test(function.index);
  if (!site.idIsVariable)
    return;
  edit.addsLocal = true;
  edit.entry.i32Const(site.id | site.marks).globalGet(marks_).raw(i32Or).addedLocalSet();
  edit.entry.i32Const(0).globalSet(marks_);
}

namespace {

class CallKindsInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &) const override {
    return {.callKinds = true};
  }
  Error declare(ModuleDeclarations &) override { return Error::success(); }
};

warpo::Registry<Instrumentation>::Add<CallKindsInstrumentation>
    registration("call-kinds", "whether a function was called directly or by reference");

} // namespace
