//===- NativeStacks.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeStacks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

/// Enough for what the C library pushes above a return address into the program.
static constexpr size_t topWords = 8;
static constexpr size_t wordSize = sizeof(uintptr_t);

void NativeStacks::add(const ProgramUnit &unit, const CodeTables &tables, uintptr_t base,
                       ArrayRef<warpo_native_import> imports) {
  auto [begin, end] = tables.bounds();
  units_.push_back({&unit, &tables, base, base + begin, base + end, imports});
}

/// Null if the address is not in code of the program.
const NativeStacks::Unit *NativeStacks::unitAt(uintptr_t address) const {
  for (const Unit &unit : units_)
    if (address >= unit.begin && address < unit.end)
      return &unit;
  return nullptr;
}

bool NativeStacks::isFunction(uintptr_t address) const {
  const Unit *unit = unitAt(address);
  return unit && unit->tables->innermostAt(address - unit->base) != 0;
}

bool StackWords::has(uintptr_t address) const {
  return address >= begin && address <= end - wordSize && address % wordSize == 0;
}

// The address sanitizer would report words that belong to other frames.
__attribute__((no_sanitize("address"))) uintptr_t StackWords::at(uintptr_t address) const {
  return *reinterpret_cast<const uintptr_t *>(address);
}

// The caller's frame pointer is below the return address.
std::optional<Registers> StackWords::callerByFrame(uintptr_t frame) const {
  if (!has(frame) || !has(frame + wordSize))
    return std::nullopt;
  return Registers{at(frame + wordSize), frame + 2 * wordSize, at(frame), /*isReturn=*/true};
}

/// Finds the first word on the stack that is a return address into the program. If none is near,
/// uses the frame pointer, if it is valid.
bool NativeStacks::findReturn(Registers &at, StackWords stack) const {
  uintptr_t word = at.stack;
  for (size_t i = 0; i < topWords && stack.has(word); ++i, word += wordSize) {
    uintptr_t address = stack.at(word);
    if (!isFunction(address - 1))
      continue;
    at = {address, word + wordSize, at.frame, /*isReturn=*/true};
    return true;
  }
  auto caller = at.frame < at.stack ? std::nullopt : stack.callerByFrame(at.frame);
  if (!caller || !isFunction(caller->code - 1))
    return false;
  at = *caller;
  return true;
}

bool NativeStacks::goToCaller(Registers &at, StackWords stack) const {
  uintptr_t code = at.code - at.isReturn;
  const Unit *unit = unitAt(code);
  UnwindRule rule = unit ? unit->tables->ruleAt(code - unit->base) : UnwindRule();
  // Do not search further out: words that look like return addresses may be left over from calls
  // that have ended.
  if (rule.base == UnwindRule::unknown)
    return !at.isReturn && findReturn(at, stack);
  uintptr_t end = (rule.base == UnwindRule::stackPointer ? at.stack : at.frame) + rule.offset;
  // Each caller's frame must be further out, so that the walk ends.
  if (end <= at.stack || !stack.has(end - wordSize))
    return false;
  if (rule.savedFramePointer != 0) {
    uintptr_t saved = end + rule.savedFramePointer;
    if (!stack.has(saved))
      return false;
    at.frame = stack.at(saved);
  }
  at = {stack.at(end - wordSize), end, at.frame, /*isReturn=*/true};
  return true;
}

void NativeStacks::push(uintptr_t address) {
  const Unit *unit = unitAt(address);
  if (!unit)
    return;
  for (uint32_t number = unit->tables->innermostAt(address - unit->base); number != 0;) {
    const FunctionAt &function = unit->tables->function(number);
    frames_.push_back({unit->unit, function.function});
    number = function.parent;
  }
}

void NativeStacks::pushImport(const warpo_native_import *import) {
  for (const Unit &unit : units_) {
    auto at = reinterpret_cast<uintptr_t>(import);
    auto begin = reinterpret_cast<uintptr_t>(unit.imports.begin());
    if (at < begin || at >= reinterpret_cast<uintptr_t>(unit.imports.end()))
      continue;
    // Only imported functions have function indices.
    auto before = ArrayRef(unit.unit->module.imports).take_front(import - unit.imports.begin());
    auto index = llvm::count_if(
        before, [](const wasm::Import &each) { return each.kind == wasm::ExternalKind::function; });
    frames_.push_back({unit.unit, uint32_t(index)});
    return;
  }
}

ArrayRef<EngineSamples::Frame> NativeStacks::resolve(const NativeStack &stack) {
  frames_.clear();
  if (stack.address != 0)
    push(stack.address);
  else if (stack.import)
    pushImport(stack.import);
  for (uintptr_t address : stack.returns)
    push(address - 1);
  std::reverse(frames_.begin(), frames_.end());
  return frames_;
}
