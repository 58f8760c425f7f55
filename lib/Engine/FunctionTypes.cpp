//===- FunctionTypes.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionTypes.h"

using namespace llvm;
using namespace warpo;

ValueType warpo::valueTypeOf(uint8_t encoded) {
  switch (wasm::ValueType(encoded)) {
  case wasm::ValueType::i32:
    return ValueType::i32;
  case wasm::ValueType::i64:
    return ValueType::i64;
  case wasm::ValueType::f32:
    return ValueType::f32;
  case wasm::ValueType::f64:
    return ValueType::f64;
  }
  return ValueType::other;
}

template <typename Types>
static std::string typeLetters(const Types &params, const Types &results) {
  std::string text;
  for (auto type : params)
    text += "ilfd?"[int(valueTypeOf(uint8_t(type)))];
  text += ':';
  for (auto type : results)
    text += "ilfd?"[int(valueTypeOf(uint8_t(type)))];
  return text;
}

std::string warpo::typeLetters(const wasm::FunctionType &type) {
  return ::typeLetters(type.params.bytes, type.results.bytes);
}

std::string warpo::typeLetters(const wasm::HostCallInfo &info) {
  return ::typeLetters(info.params, info.results);
}
