//===- RunnableModule.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RunnableModule.h"
#include "GoScript.h"
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

/// Programs that only their own JavaScript can run, recognised by an import.
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

/// TinyGo's modules import from `gojs` as well, but need TinyGo's script.
bool isOfGo(const wasm::Module &module) {
  auto isFrom = [&](StringRef name) {
    return any_of(module.imports, [&](const wasm::Import &each) { return each.module == name; });
  };
  return (isFrom("gojs") || isFrom("go")) && !isFrom("wasi_snapshot_preview1");
}

/// Exported functions, without those added by compilers.
std::vector<const wasm::Export *> ownExports(const wasm::Module &module) {
  std::vector<const wasm::Export *> exports;
  for (const wasm::Export &each : module.exports)
    if (each.kind == wasm::ExternalKind::function && !each.name.starts_with("_"))
      exports.push_back(&each);
  return exports;
}

bool hasEntry(const wasm::Module &module) {
  return any_of(module.exports, [](const wasm::Export &each) {
    return each.kind == wasm::ExternalKind::function &&
           (each.name == "_start" || each.name == "main");
  });
}

/// The script that loads the module, if it has the name that Emscripten uses.
std::string scriptBeside(StringRef path) {
  for (StringRef ending : {".js", ".mjs", ".cjs"}) {
    SmallString<128> script(path);
    sys::path::replace_extension(script, ending);
    if (sys::fs::exists(script))
      return script.str().str();
  }
  return "app.js";
}

/// Chooses the function to call in a module without _start and main.
Expected<std::string> chooseExport(const wasm::Module &module, StringRef path) {
  bool hasStart = any_of(
      module.sections, [](const wasm::Section &each) { return each.id == wasm::SectionId::start; });
  std::vector<const wasm::Export *> exports = ownExports(module);
  if (exports.empty())
    return "";
  std::string first = exports.front()->name.str();
  uint32_t function = exports.front()->index;
  if (exports.size() == 1 && function < module.functionCount() &&
      module.typeOf(function).params.count == 0) {
    note(path + " exports neither _start nor main: calling " + first + ", all that it exports");
    return first;
  }
  static constexpr size_t shown = 5;
  std::string list;
  for (const wasm::Export *each : ArrayRef(exports).take_front(shown))
    list += (list.empty() ? "" : ", ") + each->name.str();
  if (exports.size() > shown)
    list += ", …";
  if (!hasStart)
    return fileError(path,
                     "exports neither _start nor main: if it is a library, record the program "
                     "that loads it (warpo record " +
                         shellWord(scriptBeside(path)) +
                         "), or call an export: --invoke=" + shellWord(first) + " (" + list + ")");
  note(path + " exports neither _start nor main, so only its start function runs; --invoke=" +
       shellWord(first) + " calls an export (" + list + ")");
  return "";
}

} // namespace

Expected<ModuleRun> warpo::checkRunnable(StringRef path, StringRef invoke) {
  ModuleRun run;
  // A pipe can be read only once.
  if (path == "-")
    return run;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError(path, buffer.getError());
  auto module = wasm::readModule(arrayRefFromStringRef((*buffer)->getBuffer()), path);
  if (!module) {
    consumeError(module.takeError());
    return run;
  }
  if (auto script = isOfGo(*module) ? findGoScript() : std::nullopt) {
    run.goScript = std::move(*script);
    return run;
  }
  for (const wasm::Import &import : module->imports)
    for (const Toolchain &toolchain : toolchainsOfJavaScript)
      if (import.module == toolchain.module &&
          StringRef(import.name).starts_with(toolchain.function))
        return fileError(path, "it was made by " + toolchain.name +
                                   " and runs in the JavaScript that comes with it; record that: "
                                   "warpo record " +
                                   shellWord(scriptBeside(path)));
  if (invoke.empty() && !hasEntry(*module)) {
    auto chosen = chooseExport(*module, path);
    if (!chosen)
      return chosen.takeError();
    run.invoke = std::move(*chosen);
  }
  return run;
}
