//===- InterpUnit.h - A module in wabt's interpreter ----------------------===//

#ifndef WARPO_LIB_ENGINE_INTERPUNIT_H
#define WARPO_LIB_ENGINE_INTERPUNIT_H

#include "UnitCalls.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Recorder/event_stream.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"

#include <wabt/interp/interp.h>

namespace warpo::interpreter {

namespace interp = wabt::interp;

inline ValueType typeOf(interp::ValueType type) {
  switch (type) {
  case wabt::Type::I32:
    return ValueType::i32;
  case wabt::Type::I64:
    return ValueType::i64;
  case wabt::Type::F32:
    return ValueType::f32;
  case wabt::Type::F64:
    return ValueType::f64;
  default:
    return ValueType::other;
  }
}

inline uint64_t bitsOf(ValueType type, const interp::Value &value) {
  switch (type) {
  case ValueType::i32:
    return value.Get<interp::u32>();
  case ValueType::i64:
    return value.Get<interp::u64>();
  case ValueType::f32:
    return llvm::bit_cast<uint32_t>(value.Get<interp::f32>());
  case ValueType::f64:
    return llvm::bit_cast<uint64_t>(value.Get<interp::f64>());
  case ValueType::other:
    return 0;
  }
  llvm_unreachable("a type is one of these");
}

inline interp::Value valueOf(ValueType type, uint64_t bits) {
  switch (type) {
  case ValueType::i32:
    return interp::Value::Make(interp::u32(bits));
  case ValueType::i64:
    return interp::Value::Make(interp::u64(bits));
  case ValueType::f32:
    return interp::Value::Make(llvm::bit_cast<interp::f32>(uint32_t(bits)));
  case ValueType::f64:
    return interp::Value::Make(llvm::bit_cast<interp::f64>(bits));
  case ValueType::other:
    return interp::Value();
  }
  llvm_unreachable("a type is one of these");
}

/// One module of the program.
struct Unit : UnitCalls {
  /// Under which others import from it; empty for the program itself.
  std::string name;
  std::string path;
  uint64_t id = 0;
  /// Among the modules of the program.
  size_t place = 0;
  /// Among its exports, the counter of its fuel.
  std::optional<size_t> fuelExport;
  warpo_event_stream *stream = nullptr;
  std::unique_ptr<llvm::MemoryBuffer> file;
  interp::Module::Ptr module;
  interp::Instance::Ptr instance;

  /// Of the instance, which there must be; null if it has none of this kind.
  interp::Extern::Ptr findExport(interp::Store &store, llvm::StringRef wanted,
                                 interp::ExternKind kind) {
    const std::vector<interp::ExportDesc> &exports = module->desc().exports;
    for (size_t i = 0; i < exports.size(); ++i)
      if (exports[i].type.name == wanted && exports[i].type.type->kind == kind)
        return store.UnsafeGet<interp::Extern>(instance->exports()[i]);
    return {};
  }
  /// Among the exports, a mutable global of type i64 that is the module's own: instrumenting puts
  /// none among the imported ones.
  std::optional<size_t> findOwnGlobal(llvm::StringRef wanted) const {
    const interp::ModuleDesc &desc = module->desc();
    size_t imported = llvm::count_if(desc.imports, [](const interp::ImportDesc &import) {
      return import.type.type->kind == interp::ExternKind::Global;
    });
    for (size_t i = 0; i < desc.exports.size(); ++i) {
      const interp::ExportType &entry = desc.exports[i].type;
      if (entry.name != wanted || entry.type->kind != interp::ExternKind::Global ||
          desc.exports[i].index < imported)
        continue;
      const auto &type = *wabt::cast<interp::GlobalType>(entry.type.get());
      if (type.type == wabt::Type::I64 && type.mut == interp::Mutability::Var)
        return i;
    }
    return std::nullopt;
  }
  interp::Global::Ptr globalAt(interp::Store &store, size_t index) {
    return store.UnsafeGet<interp::Global>(instance->exports()[index]);
  }
  void findFuel() {
    fuelExport = findOwnGlobal(wasm::fuelExport);
    countsFuel |= hasSectionsOnly() && fuelExport;
  }
  /// What the instance has burnt; nothing if it does not count it, or there is none yet.
  std::optional<uint64_t> fuelCount(interp::Store &store) {
    if (!fuelExport || !instance)
      return std::nullopt;
    return globalAt(store, *fuelExport)->Get().Get<interp::u64>();
  }
  interp::Func::Ptr findFunction(interp::Store &store, llvm::StringRef wanted) {
    interp::Extern::Ptr found = findExport(store, wanted, interp::ExternKind::Func);
    return found ? found.As<interp::Func>() : interp::Func::Ptr();
  }
};

} // namespace warpo::interpreter

#endif
