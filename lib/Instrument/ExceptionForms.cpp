//===- ExceptionForms.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ExceptionForms.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using wasm::ExceptionForm;

// The functions of WASI do not throw.
bool warpo::mayThrow(const wasm::Module &module) {
  return any_of(module.imports,
                [](const wasm::Import &import) {
                  return import.kind == wasm::ExternalKind::tag ||
                         (import.kind == wasm::ExternalKind::function &&
                          !import.module.starts_with("wasi_"));
                }) ||
         any_of(module.sections,
                [](const wasm::Section &section) { return section.id == wasm::SectionId::tag; });
}

Error warpo::writeInForm(Unwinding unwinding, StringRef fileName,
                         const wasm::EditStatistics &statistics,
                         function_ref<Error(ExceptionForm)> write) {
  static constexpr ExceptionForm forms[] = {ExceptionForm::legacy, ExceptionForm::none,
                                            ExceptionForm::legacy, ExceptionForm::exnref};
  ExceptionForm form = forms[size_t(unwinding)];
  if (Error error = write(form))
    return error;
  bool usesLegacy = statistics.usesLegacyExceptions;
  bool usesExnref = statistics.usesExnref;
  if (form != ExceptionForm::none && usesLegacy && usesExnref)
    return fileError(fileName, "has both forms of exception handling, but engines accept only one");
  if (form == ExceptionForm::exnref && usesLegacy)
    return fileError(fileName, "has the legacy form of exception handling: "
                               "--unwind=exnref would mix the two");
  if (form != ExceptionForm::legacy || !usesExnref)
    return Error::success();
  if (unwinding != Unwinding::automatic)
    return fileError(fileName, "has the newer form of exception handling: "
                               "--unwind=legacy would mix the two");
  // The form is only visible in the code. Reading all code first would be in vain for most modules,
  // so those with the newer form are written twice.
  return write(ExceptionForm::exnref);
}
