//===- NativeUnit.h - A module run by engine `native` ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVEUNIT_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVEUNIT_H

#include "../GuestHost.h"
#include "CodeTables.h"
#include "warpo/Engine/ProgramUnit.h"
#include "warpo_native.h"
#include <memory>

namespace warpo {

/// Where an import comes from.
struct ImportSource {
  enum Kind : uint8_t {
    tracePoint,
    tracePointFuel,
    heap,
    enterFrame,
    leaveFrame,
    enterModule,
    sample,
    beginSection,
    endSection,
    hostFunction,
    /// An export of another module.
    linked,
    /// A memory or a table that is created for the module.
    provided,
  };
  Kind kind;
  const HostFunction *function = nullptr;
  /// If `linked`: the place of the unit, and the index among its exports.
  size_t unit = 0;
  uint32_t exportIndex = 0;
};

class NativeUnit : public ProgramUnit {
public:
  ~NativeUnit() override;

  explicit NativeUnit(bool wantsSamples) : wantsSamples_(wantsSamples) {}

  /// The source of each import.
  std::vector<ImportSource> imports;

  /// Whether the stack is read at the end of the program, because the module has counts.
  bool notesLeftCalls() const;
  /// Whether its stack is read at the end or when recording is switched on.
  bool readsStack() const { return indexOf(wasm::Counter::recording) || notesLeftCalls(); }
  /// Whether functions must be found by code addresses: the module is sampled uninstrumented, or
  /// its stack is read.
  bool needsTables() const { return (wantsSamples_ && !module.bodies.empty()) || readsStack(); }

  // Set when it has been compiled and loaded.
  void *library = nullptr;
  const warpo_native_module *code = nullptr;
  /// Empty unless needsTables().
  CodeTables tables;
  std::vector<warpo_native_import> linked;
  /// The unit as its code sees it.
  warpo_native_unit view = {};
  std::unique_ptr<uint64_t[]> instance;
  /// Whether instantiation has begun.
  bool isStarted = false;

  /// Whether functions of the instance may be called, as its memory could be allocated.
  bool canRun() const {
    uint64_t size;
    return isStarted && (!view.memory || code->memory_bytes(view.memory, &size));
  }

  std::optional<uint64_t> counter(wasm::Counter counter) const override;
  void setCounter(wasm::Counter counter, uint64_t value) override { *counterAt(counter) = value; }
  /// The address of a counter in the instance; null if there is none.
  uint64_t *counterAt(wasm::Counter counter) const {
    return instance ? code->counter(instance.get(), uint32_t(counter)) : nullptr;
  }

  const wasm::FunctionType &typeOf(const wasm::Export &entry) const {
    return module.typeOf(entry.index);
  }
  /// Finds an export by name, if its kind (warpo_native_kind) is one of `kinds`; otherwise null.
  const warpo_native_export *findExport(llvm::StringRef wanted, llvm::StringRef kinds) const;
  const wasm::Export &descriptionOf(const warpo_native_export &entry) const {
    return module.exports[&entry - code->exports];
  }
  /// The address of an exported object that is not a function.
  void *addressOf(const warpo_native_export &entry) const {
    return reinterpret_cast<void *(*)(void *)>(entry.code)(instance.get());
  }
  /// The source of an import in the host; nothing if the host does not provide it.
  std::optional<ImportSource> sourceInHost(const wasm::Import &import) const;

private:
  const bool wantsSamples_;
};

} // namespace warpo

#endif
