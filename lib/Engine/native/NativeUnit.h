//===- NativeUnit.h - A module of a program that engine `native` runs -----===//
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
    sample,
    beginSection,
    endSection,
    hostFunction,
    /// An export of another module.
    linked,
    /// A memory or a table that is made for the module.
    provided,
  };
  Kind kind;
  const HostFunction *function = nullptr;
  /// Of a linked one: the place of the unit, and the index among its exports.
  size_t unit = 0;
  uint32_t exportIndex = 0;
};

class NativeUnit : public ProgramUnit {
public:
  ~NativeUnit() override;

  explicit NativeUnit(bool wantsSamples) : wantsSamples_(wantsSamples) {}

  /// Of each import.
  std::vector<ImportSource> imports;

  /// Whether a stack at the program's end is to be read, for what the module has counted.
  bool notesLeftCalls() const;
  /// Whether its stack is read: at the end, or when recording is switched on.
  bool readsStack() const { return indexOf(wasm::Counter::recording) || notesLeftCalls(); }
  /// Whether its functions must be found in its code: it is sampled as it is, or its stack is read.
  bool needsTables() const { return (wantsSamples_ && !module.bodies.empty()) || readsStack(); }

  // Once it has been compiled and loaded.
  void *library = nullptr;
  const warpo_native_module *code = nullptr;
  /// Empty if it does not need them.
  CodeTables tables;
  std::vector<warpo_native_import> linked;
  /// What the code sees of the rest.
  warpo_native_unit view = {};
  std::unique_ptr<uint64_t[]> instance;
  /// Whether its instance has begun to be made.
  bool isStarted = false;

  /// Whether functions of the instance may be called: there was room for its memory.
  bool canRun() const {
    uint64_t size;
    return isStarted && (!view.memory || code->memory_bytes(view.memory, &size));
  }

  std::optional<uint64_t> counter(wasm::Counter counter) const override;
  void setCounter(wasm::Counter counter, uint64_t value) override { *counterAt(counter) = value; }
  /// Where the instance has a counter; null if it has none.
  uint64_t *counterAt(wasm::Counter counter) const {
    return instance ? code->counter(instance.get(), uint32_t(counter)) : nullptr;
  }

  const wasm::FunctionType &typeOf(const wasm::Export &entry) const {
    return module.typeOf(entry.index);
  }
  /// Null if there is none of this name and one of these kinds (warpo_native_kind).
  const warpo_native_export *findExport(llvm::StringRef wanted, llvm::StringRef kinds) const;
  const wasm::Export &descriptionOf(const warpo_native_export &entry) const {
    return module.exports[&entry - code->exports];
  }
  /// What is exported, of an export that is no function.
  void *addressOf(const warpo_native_export &entry) const {
    return reinterpret_cast<void *(*)(void *)>(entry.code)(instance.get());
  }
  /// What an import gets of the host; nothing if the host does not have it.
  std::optional<ImportSource> sourceInHost(const wasm::Import &import) const;

private:
  const bool wantsSamples_;
};

} // namespace warpo

#endif
