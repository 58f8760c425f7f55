//===- InterpUnit.h - A module in wabt's interpreter ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPUNIT_H
#define WARPO_LIB_ENGINE_INTERPUNIT_H

#include "warpo/Engine/ProgramRun.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

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

class Unit : public ProgramUnit {
public:
  explicit Unit(interp::Store &store) : store_(store) {}

  /// The function of its start section.
  std::optional<uint32_t> startFunction;
  interp::Module::Ptr code;
  interp::Instance::Ptr instance;

  std::optional<uint64_t> counter(wasm::Counter counter) const override {
    if (!indexOf(counter))
      return std::nullopt;
    return instance ? global(counter)->Get().Get<interp::u64>() : 0;
  }
  void setCounter(wasm::Counter counter, uint64_t value) override {
    if (instance)
      global(counter)->UnsafeSet(interp::Value::Make(interp::u64(value)));
  }

  /// An export of the instance, which must exist; null if there is none of this kind.
  interp::Extern::Ptr findExport(llvm::StringRef wanted, interp::ExternKind kind) {
    const std::vector<interp::ExportDesc> &exports = code->desc().exports;
    for (size_t i = 0; i < exports.size(); ++i)
      if (exports[i].type.name == wanted && exports[i].type.type->kind == kind)
        return store_.UnsafeGet<interp::Extern>(instance->exports()[i]);
    return {};
  }
  interp::Func::Ptr findFunction(llvm::StringRef wanted) {
    interp::Extern::Ptr found = findExport(wanted, interp::ExternKind::Func);
    return found ? found.As<interp::Func>() : interp::Func::Ptr();
  }

private:
  interp::Global::Ptr global(wasm::Counter counter) const {
    return store_.UnsafeGet<interp::Global>(instance->globals()[*indexOf(counter)]);
  }

  interp::Store &store_;
};

} // namespace warpo::interpreter

#endif
