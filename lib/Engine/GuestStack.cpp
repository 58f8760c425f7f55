//===- GuestStack.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/GuestStack.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(GuestStack)

StoppedInstance::~StoppedInstance() = default;
GuestStack::~GuestStack() = default;

Error GuestStack::prepare(const wasm::Module &, StoppedInstance &) { return Error::success(); }

StringRef StoppedInstance::readText(uint64_t address, size_t most) {
  ArrayRef<uint8_t> bytes = memory();
  if (address > bytes.size())
    return "";
  StringRef text = toStringRef(bytes.drop_front(address)).take_front(most);
  return text.take_front(text.find('\0'));
}
