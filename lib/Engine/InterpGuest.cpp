//===- InterpGuest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InterpGuest.h"
#include "InterpPauses.h"
#include "warpo/Support/Errors.h"

using namespace warpo;
using namespace warpo::interpreter;
using llvm::Expected;
using llvm::StringRef;

interp::Memory::Ptr InterpGuest::Instance::findMemory(StringRef name) {
  auto found = unit_.findExport(name, interp::ExternKind::Memory);
  return found ? found.As<interp::Memory>() : interp::Memory::Ptr();
}

interp::Global::Ptr InterpGuest::Instance::findGlobal(StringRef name) {
  auto found = unit_.findExport(name, interp::ExternKind::Global);
  if (!found)
    return {};
  auto global = found.As<interp::Global>();
  return typeOf(global->type().type) == ValueType::other ? interp::Global::Ptr() : global;
}

llvm::MutableArrayRef<uint8_t> InterpGuest::Instance::exportedMemory(StringRef name) {
  interp::Memory::Ptr found = findMemory(name);
  if (!found)
    return {};
  return {found->UnsafeData(), size_t(found->ByteSize())};
}

bool InterpGuest::Instance::growMemory(uint32_t pages) {
  interp::Memory::Ptr found = findMemory("memory");
  return found && wabt::Succeeded(found->Grow(pages));
}

std::optional<uint64_t> InterpGuest::Instance::global(StringRef name) {
  interp::Global::Ptr found = findGlobal(name);
  if (!found)
    return std::nullopt;
  return bitsOf(typeOf(found->type().type), found->Get());
}

bool InterpGuest::Instance::setGlobal(StringRef name, uint64_t bits) {
  interp::Global::Ptr found = findGlobal(name);
  if (!found || found->type().mut != interp::Mutability::Var)
    return false;
  found->UnsafeSet(valueOf(typeOf(found->type().type), bits));
  return true;
}

Expected<uint64_t> InterpGuest::Instance::call(StringRef function,
                                               llvm::ArrayRef<uint64_t> arguments) {
  interp::Func::Ptr found = unit_.findFunction(function);
  if (!found || found->type().params.size() != arguments.size())
    return makeError("there is no function '" + function + "' of " + llvm::Twine(arguments.size()) +
                     " parameters");
  const interp::FuncType &type = found->type();
  interp::Values values, results;
  for (size_t i = 0; i < arguments.size(); ++i)
    values.push_back(valueOf(typeOf(type.params[i]), arguments[i]));
  interp::Trap::Ptr trap;
  GuestCallback callback(guest_.run_);
  if (wabt::Failed(callWithPauses(guest_.store_, *found, values, results, &trap,
                                  [&](const Frames &) { callback.look(); })))
    return callback.end(trap ? trap->message() : "an uncaught exception", 0);
  return callback.end(std::nullopt,
                      results.empty() ? 0 : bitsOf(typeOf(type.results[0]), results[0]));
}
