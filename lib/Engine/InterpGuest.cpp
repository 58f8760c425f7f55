//===- InterpGuest.cpp ----------------------------------------------------===//

#include "InterpGuest.h"
#include "QuietCall.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace warpo;
using namespace warpo::interpreter;
using llvm::Expected;
using llvm::StringRef;

void InterpGuest::add(Unit &unit) {
  auto module = wasm::readModule(llvm::arrayRefFromStringRef(unit.file->getBuffer()), unit.path);
  // The interpreter has read it, and it is not needed any more for the run.
  if (!module)
    return consumeError(module.takeError());
  reading_->offer(*module, unit.path, instances_.emplace_back(*this, unit));
}

interp::Memory::Ptr InterpGuest::Instance::findMemory() {
  auto found = unit_.findExport(guest_.store_, "memory", interp::ExternKind::Memory);
  return found ? found.As<interp::Memory>() : interp::Memory::Ptr();
}

interp::Global::Ptr InterpGuest::Instance::findGlobal(StringRef name) {
  auto found = unit_.findExport(guest_.store_, name, interp::ExternKind::Global);
  if (!found)
    return {};
  auto global = found.As<interp::Global>();
  return typeOf(global->type().type) == ValueType::other ? interp::Global::Ptr() : global;
}

llvm::MutableArrayRef<uint8_t> InterpGuest::Instance::memory() {
  interp::Memory::Ptr found = findMemory();
  if (!found)
    return {};
  return {found->UnsafeData(), size_t(found->ByteSize())};
}

bool InterpGuest::Instance::growMemory(uint32_t pages) {
  interp::Memory::Ptr found = findMemory();
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
  interp::Func::Ptr found = unit_.findFunction(guest_.store_, function);
  if (!found || found->type().params.size() != arguments.size())
    return makeError("there is no function '" + function + "' of " + llvm::Twine(arguments.size()) +
                     " parameters");
  return guest_.call(*found, arguments);
}

Expected<uint64_t> InterpGuest::call(interp::Func &function, llvm::ArrayRef<uint64_t> arguments) {
  std::vector<StoppedInstance *> all;
  for (Instance &instance : instances_)
    all.push_back(&instance);
  QuietCall quiet(all);
  const interp::FuncType &type = function.type();
  interp::Values values, results;
  for (size_t i = 0; i < arguments.size(); ++i)
    values.push_back(valueOf(typeOf(type.params[i]), arguments[i]));
  interp::Trap::Ptr trap;
  isCalling_ = true;
  bool returned = wabt::Succeeded(function.Call(store_, values, results, &trap));
  isCalling_ = false;
  if (!returned)
    return endOfCall(trap ? trap->message() : "an exception that nobody caught", 0);
  return endOfCall(std::nullopt, results.empty() ? 0 : bitsOf(typeOf(type.results[0]), results[0]));
}
