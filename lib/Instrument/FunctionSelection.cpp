//===- FunctionSelection.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/FunctionSelection.h"
#include "warpo/Wasm/CodeWalker.h"

using namespace llvm;
using namespace warpo;

Expected<FunctionSelection> FunctionSelection::create(const SelectionOptions &options) {
  auto include = NameGlobs::create(options.include, "--include");
  if (!include)
    return include.takeError();
  auto exclude = NameGlobs::create(options.exclude, "--exclude");
  if (!exclude)
    return exclude.takeError();
  FunctionSelection selection(std::move(*include), std::move(*exclude));
  selection.all_ = options.all;
  selection.minInstructions_ = options.minInstructions;
  return selection;
}

// Functions of AssemblyScript's library, and those that its compiler generates: they check the
// stack, pass omitted arguments, choose a method, or keep objects of the host alive. `~start` runs
// the program's own top-level statements. No name in a program can have a `~` or a `@` in these
// places; `export::` begins names of other languages.
static bool isOfAssemblyScript(StringRef name) {
  if (name.starts_with("~"))
    return name != "~start";
  return name.ends_with("@varargs") || name.ends_with("@override") ||
         (name.starts_with("export:") && !name.starts_with("export::"));
}

Expected<Selection> FunctionSelection::select(const wasm::Module &module, uint32_t function,
                                              StringRef name) const {
  bool isImported = module.isImported(function);
  // Trace points and the like: tracing them would trace the tracing itself.
  if (isImported && module.importOf(function).module == "builtin")
    return Selection::builtin;
  // These begin sections for their caller; if they were traced, the sections would end with them.
  if (!isImported && name.starts_with("~lib/warpo/assembly/"))
    return Selection::library;
  if (exclude_.matches(name))
    return Selection::excluded;
  if (!include_.empty()) {
    if (!include_.matches(name))
      return Selection::notIncluded;
  } else if (!all_ && !isImported && isOfAssemblyScript(name)) {
    return Selection::library;
  }
  if (isImported || minInstructions_ == 0)
    return Selection::taken;

  ByteCursor cursor = module.bodies[function - module.importedFunctionCount()].cursor();
  wasm::skipLocals(cursor);
  uint64_t count = wasm::countInstructions(cursor);
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return count < minInstructions_ ? Selection::small : Selection::taken;
}
