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

// AssemblyScript's library, and functions that its compiler makes without a line of source: those
// that check the stack, pass arguments that were left out, choose a method, and keep alive what the
// host passes. `~start` runs the program's own statements. No name that a program can give has a
// `~` or a `@` in these places; `export::` is how other languages name what is in a module.
static bool isOfAssemblyScript(StringRef name) {
  if (name.starts_with("~"))
    return name != "~start";
  return name.ends_with("@varargs") || name.ends_with("@override") ||
         (name.starts_with("export:") && !name.starts_with("export::"));
}

Expected<Selection> FunctionSelection::select(const wasm::Module &module, uint32_t function,
                                              StringRef name) const {
  bool isImported = module.isImported(function);
  // Trace points and the like: tracing them would trace the tracing.
  if (isImported && module.importOf(function).module == "builtin")
    return Selection::builtin;
  // The sections that these begin for their caller would end with them.
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
