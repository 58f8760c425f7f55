//===- OpcodeClass.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Classes follow from the names of the text format, so that a new instruction gets the class of
// similarly named ones.
//
//===----------------------------------------------------------------------===//

#include "warpo/Wasm/OpcodeClass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo::wasm;

static bool isNumberType(StringRef type) {
  return is_contained({"i32", "i64", "f32", "f64"}, type);
}

static StringRef classOfNumbers(StringRef type, StringRef operation) {
  if (operation == "const")
    return "constant";
  if (operation.starts_with("atomic."))
    return "atomic";
  if (operation.starts_with("load"))
    return "load";
  if (operation.starts_with("store"))
    return "store";
  StringRef plain = operation.take_until([](char c) { return c == '_'; });
  if (is_contained({"eqz", "eq", "ne", "lt", "gt", "le", "ge"}, plain))
    return "comparison";
  bool namesType = any_of(ArrayRef<StringRef>{"_i32", "_i64", "_f32", "_f64"},
                          [&](StringRef part) { return operation.contains(part); });
  if (namesType || operation.starts_with("extend"))
    return "conversion";
  return type[0] == 'i' ? "integer arithmetic" : "floating point";
}

static StringRef classOfControl(StringRef name) {
  if (is_contained(
          {"try", "try_table", "catch", "catch_all", "delegate", "throw", "throw_ref", "rethrow"},
          name))
    return "exception";
  if (name.starts_with("call") || name.starts_with("return_call"))
    return "call";
  if (name.starts_with("resume") || is_contained({"suspend", "switch"}, name))
    return "stack switch";
  if (is_contained({"drop", "select"}, name))
    return "operand";
  return "branch";
}

StringRef warpo::wasm::classOf(const OpcodeInfo &opcode) {
  static constexpr std::pair<StringLiteral, StringLiteral> classOfPrefix[] = {
      {"local", "local"},      {"global", "global"}, {"memory", "memory"},
      {"data", "memory"},      {"table", "table"},   {"elem", "table"},
      {"ref", "reference"},    {"struct", "object"}, {"array", "object"},
      {"i31", "object"},       {"any", "object"},    {"extern", "object"},
      {"string", "string"},    {"atomic", "atomic"}, {"waitqueue", "atomic"},
      {"cont", "stack switch"}};
  auto [prefix, operation] = StringRef(opcode.name).split('.');
  if (operation.empty())
    return prefix == "pause" ? "atomic" : classOfControl(prefix);
  if (isNumberType(prefix))
    return classOfNumbers(prefix, operation);
  if (operation.starts_with("atomic.") || operation == "wait")
    return "atomic";
  for (const auto &[known, name] : classOfPrefix)
    if (prefix == known || (known == "string" && prefix.starts_with(known)))
      return name;
  return "vector"; // v128, i8x16, …
}

bool warpo::wasm::allocates(const OpcodeInfo &opcode) {
  StringRef name = opcode.name;
  return name.starts_with("struct.new") || name.starts_with("array.new");
}
