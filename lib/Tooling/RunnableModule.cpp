//===- RunnableModule.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RunnableModule.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/ToolMain.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Programs that only their own JavaScript can run, by what they import.
struct Toolchain {
  StringLiteral module, function;
  StringLiteral name;
};
constexpr Toolchain toolchainsOfJavaScript[] = {
    {"gojs", "", "Go's compiler for JavaScript hosts"},
    {"go", "", "Go's compiler for JavaScript hosts"},
    {"wbg", "", "wasm-bindgen"},
    {"__wbindgen_placeholder__", "", "wasm-bindgen"},
    {"env", "emscripten_", "Emscripten"},
    {"env", "invoke_", "Emscripten"},
};

/// What people would call: exported functions that are none of a compiler's own.
std::vector<StringRef> ownExports(const wasm::Module &module) {
  std::vector<StringRef> names;
  for (const wasm::Export &each : module.exports)
    if (each.kind == wasm::ExternalKind::function && !each.name.starts_with("_"))
      names.push_back(each.name);
  return names;
}

bool hasEntry(const wasm::Module &module) {
  return any_of(module.exports, [](const wasm::Export &each) {
    return each.kind == wasm::ExternalKind::function &&
           (each.name == "_start" || each.name == "main");
  });
}

/// The script that loads the module, by the name that Emscripten gives it.
std::string scriptBeside(StringRef path) {
  for (StringRef ending : {".js", ".mjs", ".cjs"}) {
    SmallString<128> script(path);
    sys::path::replace_extension(script, ending);
    if (sys::fs::exists(script))
      return script.str().str();
  }
  return "app.js";
}

} // namespace

Error warpo::checkRunnable(StringRef path, StringRef invoke) {
  // What comes by a pipe can be read once.
  if (path == "-")
    return Error::success();
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError(path, buffer.getError());
  auto module = wasm::readModule(arrayRefFromStringRef((*buffer)->getBuffer()), path);
  if (!module) {
    consumeError(module.takeError());
    return Error::success();
  }
  for (const wasm::Import &import : module->imports)
    for (const Toolchain &toolchain : toolchainsOfJavaScript)
      if (import.module == toolchain.module &&
          StringRef(import.name).starts_with(toolchain.function))
        return fileError(path, "it was made by " + toolchain.name +
                                   " and runs in the JavaScript that comes with it; record that: "
                                   "warpo record " +
                                   shellWord(scriptBeside(path)));
  std::vector<StringRef> names = ownExports(*module);
  if (invoke.empty() && !hasEntry(*module) && !names.empty()) {
    static constexpr size_t shown = 5;
    std::string list = join(ArrayRef(names).take_front(shown), ", ");
    note(path + " exports neither _start nor main, so only its start function runs; --invoke=" +
         names.front() + " calls an export (" + list + (names.size() > shown ? ", …" : "") + ")");
  }
  return Error::success();
}
