//===- LoadedUnit.h - A module that has been compiled and loaded ----------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_LOADEDUNIT_H
#define WARPO_LIB_ENGINE_NATIVE_LOADEDUNIT_H

#include "NativeProgram.h"
#include "warpo_native.h"
#include <dlfcn.h>
#include <memory>

namespace warpo {

struct LoadedUnit {
  const NativeUnit *source = nullptr;
  void *library = nullptr;
  const warpo_native_module *code = nullptr;
  warpo_native_unit unit = {};
  std::vector<warpo_native_import> imports;
  std::unique_ptr<uint64_t[]> instance;
  /// Among the exports, the counter of its fuel.
  std::optional<size_t> fuelExport;

  LoadedUnit() = default;
  LoadedUnit(const LoadedUnit &) = delete;
  LoadedUnit &operator=(const LoadedUnit &) = delete;
  ~LoadedUnit() {
    if (instance)
      code->release(instance.get());
    if (library)
      dlclose(library);
  }

  /// What the instance has burnt; nothing if it does not count it.
  std::optional<uint64_t> fuel() const {
    if (!fuelExport)
      return std::nullopt;
    return *globalAt(*fuelExport);
  }
  warpo_event_stream *stream() const { return unit.fuel_events ? unit.fuel_events : unit.events; }

  /// Null if there is none of this name and one of these kinds (warpo_native_kind).
  const warpo_native_export *findExport(llvm::StringRef name, llvm::StringRef kinds) const {
    const std::vector<wasm::Export> &exports = source->module.exports;
    for (size_t i = 0; i < exports.size(); ++i)
      if (exports[i].name == name && kinds.contains(code->exports[i].kind))
        return &code->exports[i];
    return nullptr;
  }
  /// Among the exports, a global of type i64 that is the module's own. Instrumenting puts none among
  /// the imported ones, and where those lie is not known before the instance is complete.
  std::optional<size_t> findOwnGlobal(llvm::StringRef name) const {
    const wasm::Module &module = source->module;
    uint32_t imported = llvm::count_if(module.imports, [](const wasm::Import &import) {
      return import.kind == wasm::ExternalKind::global;
    });
    for (auto [i, entry] : llvm::enumerate(module.exports))
      if (entry.name == name && code->exports[i].kind == 'l' && entry.index >= imported)
        return i;
    return std::nullopt;
  }
  uint64_t *globalAt(size_t index) const {
    return static_cast<uint64_t *>(addressOf(code->exports[index]));
  }
  /// What is exported, of an export that is no function.
  void *addressOf(const warpo_native_export &entry) const {
    return reinterpret_cast<void *(*)(void *)>(entry.code)(instance.get());
  }
};

} // namespace warpo

#endif
