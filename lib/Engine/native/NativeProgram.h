//===- NativeProgram.h - Modules, and where their imports come from -------===//
//
// What engine `native` knows of a program before any C is made of it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVEPROGRAM_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVEPROGRAM_H

#include "../EntryFunction.h"
#include "../GuestHost.h"
#include "../UnitCalls.h"
#include "warpo/Wasm/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace warpo {

/// Where an import comes from.
struct ImportSource {
  enum Kind : uint8_t {
    tracePoint,
    tracePointFuel,
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
  /// Of a linked one.
  uint32_t unit = 0, exportIndex = 0;
};

/// One module of the program.
struct NativeUnit : UnitCalls {
  /// Under which others import from it; empty for the program itself.
  std::string name;
  std::string path;
  uint64_t id = 0;
  std::unique_ptr<llvm::MemoryBuffer> file;
  wasm::Module module;
  /// Of each import.
  std::vector<ImportSource> imports;

  llvm::ArrayRef<uint8_t> bytes() const { return module.bytes; }
  const wasm::FunctionType &typeOf(const wasm::Export &entry) const {
    return module.typeOf(entry.index);
  }
};

/// The type as HostFunction::type writes it, `?` for what is no number.
std::string typeLetters(const wasm::FunctionType &type);

struct NativeProgram {
  /// In the order in which they are instantiated: the program itself is the last.
  std::vector<NativeUnit> units;
  /// The function to call, as an index of the exports of the program itself.
  std::optional<EntryCall> entry;
  std::vector<ValueType> resultTypes;

  NativeUnit &app() { return units.back(); }

  /// Reads all modules and finds what their imports get. An error if one cannot be read, or lacks
  /// an import, or if there is nothing to call.
  static llvm::Expected<NativeProgram> load(const RunRequest &request);
};

} // namespace warpo

#endif
