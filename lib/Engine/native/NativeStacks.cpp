//===- NativeStacks.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeStacks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <optional>

using namespace llvm;
using namespace warpo;

void NativeStacks::add(const ProgramUnit &unit, const warpo_native_module &code,
                       ArrayRef<warpo_native_import> imports) {
  Unit &added = units_.emplace_back(Unit{&unit, 0, 0, {}, imports});
  if (!code.functions)
    return;
  added.begin = reinterpret_cast<uintptr_t>(code.functions_begin);
  added.end = reinterpret_cast<uintptr_t>(code.functions_end);
  uint32_t index = unit.module.importedFunctionCount();
  for (size_t i = 0; i < unit.module.bodies.size(); ++i)
    added.functions.push_back({reinterpret_cast<uintptr_t>(code.functions[i]), index++});
  llvm::sort(added.functions);
}

/// Returns the beginning of the function whose code contains the address; 0 if it is not the
/// program's.
uintptr_t NativeStacks::push(uintptr_t address) {
  for (const Unit &unit : units_) {
    if (address < unit.begin || address >= unit.end)
      continue;
    auto behind = llvm::upper_bound(unit.functions, std::pair(address, UINT32_MAX));
    if (behind == unit.functions.begin())
      return 0;
    frames_.push_back({unit.unit, std::prev(behind)->second});
    return std::prev(behind)->first;
  }
  return 0;
}

void NativeStacks::pushImport(const warpo_native_import *import) {
  for (const Unit &unit : units_) {
    auto at = reinterpret_cast<uintptr_t>(import);
    auto begin = reinterpret_cast<uintptr_t>(unit.imports.begin());
    if (at < begin || at >= reinterpret_cast<uintptr_t>(unit.imports.end()))
      continue;
    // Only the imported functions have function indices.
    auto before = ArrayRef(unit.unit->module.imports).take_front(import - unit.imports.begin());
    auto index = llvm::count_if(
        before, [](const wasm::Import &each) { return each.kind == wasm::ExternalKind::function; });
    frames_.push_back({unit.unit, uint32_t(index)});
    return;
  }
}

/// Which word at the end of the stack is the return address of a function whose frame is not there:
/// it has not been made, is gone, or the function needs none; nothing if it is there.
static std::optional<size_t> wordOfReturn(uintptr_t function, uintptr_t at) {
  // x86-64: endbr64, where the compiler begins functions so; push %rbp and mov %rsp,%rbp; ret.
  static constexpr uint8_t endBranch[] = {0xf3, 0x0f, 0x1e, 0xfa},
                           makeFrame[] = {0x55, 0x48, 0x89, 0xe5};
  constexpr uint8_t ret = 0xc3;
  const auto *begin = reinterpret_cast<const uint8_t *>(function);
  const auto *next = reinterpret_cast<const uint8_t *>(at);
  if (std::memcmp(begin, endBranch, sizeof(endBranch)) == 0)
    begin += sizeof(endBranch);
  bool isWithout = std::memcmp(begin, makeFrame, sizeof(makeFrame)) != 0;
  if (isWithout || next <= begin || *next == ret)
    return 0;
  return next == begin + 1 ? std::optional<size_t>(1) : std::nullopt;
}

void NativeStacks::pushInnermost(const NativeStack &stack) {
  if (uintptr_t function = push(stack.address)) {
    // Memory after the code of the last function can be read too.
    auto word = wordOfReturn(function, stack.address);
    if (word && *word < stack.top.size())
      pushReturn(stack.top[*word]);
    return;
  }
  // In a function of the C library, which has no frame; its caller's return address comes first.
  for (uintptr_t word : stack.top)
    if (pushReturn(word))
      return;
}

ArrayRef<EngineSamples::Frame> NativeStacks::resolve(const NativeStack &stack) {
  frames_.clear();
  if (stack.address != 0)
    pushInnermost(stack);
  else if (stack.import)
    pushImport(stack.import);
  for (uintptr_t address : stack.returns)
    pushReturn(address);
  std::reverse(frames_.begin(), frames_.end());
  return frames_;
}
