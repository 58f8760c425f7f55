//===- NativeStacks.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeStacks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

/// Enough for what the C library puts between its return address and the end of the stack.
static constexpr size_t topWords = 8;
static constexpr size_t wordSize = sizeof(uintptr_t);

void NativeStacks::add(const ProgramUnit &unit, const CodeTables &tables, uintptr_t base,
                       ArrayRef<warpo_native_import> imports) {
  auto [begin, end] = tables.bounds();
  units_.push_back({&unit, &tables, base, base + begin, base + end, imports});
}

/// Null if the address is in no code of the program.
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

/// Frames of instrumented code in between have words that only they may touch.
__attribute__((no_sanitize("address"))) static uintptr_t wordAt(uintptr_t address) {
  return *reinterpret_cast<const uintptr_t *>(address);
}

static bool isWithin(uintptr_t address, std::pair<uintptr_t, uintptr_t> stack) {
  return address >= stack.first && address <= stack.second - wordSize && address % wordSize == 0;
}

/// In code without a rule, the first word of the stack that a function of the program may return
/// to.
bool NativeStacks::findReturn(Registers &at, std::pair<uintptr_t, uintptr_t> stack) const {
  uintptr_t word = at.stack;
  for (size_t i = 0; i < topWords && isWithin(word, stack); ++i, word += wordSize) {
    uintptr_t address = wordAt(word);
    if (!isFunction(address - 1))
      continue;
    at.code = address;
    at.stack = word + wordSize;
    return true;
  }
  return false;
}

// A call that never returns may be a function's last instruction: behind it begins another one.
bool NativeStacks::goToCaller(Registers &at, std::pair<uintptr_t, uintptr_t> stack) const {
  const Unit *unit = unitAt(at.code);
  UnwindRule rule = unit ? unit->tables->ruleAt(at.code - unit->base) : UnwindRule();
  if (!unit || rule.base == UnwindRule::unknown)
    return findReturn(at, stack);
  uintptr_t end = (rule.base == UnwindRule::stackPointer ? at.stack : at.frame) + rule.offset;
  // Frames only grow outwards, so that this comes to an end.
  if (end <= at.stack || !isWithin(end - wordSize, stack))
    return false;
  if (rule.savedFramePointer != 0) {
    uintptr_t saved = end + rule.savedFramePointer;
    if (!isWithin(saved, stack))
      return false;
    at.frame = wordAt(saved);
  }
  at.code = wordAt(end - wordSize);
  at.stack = end;
  return true;
}

void NativeStacks::push(uintptr_t address) {
  const Unit *unit = unitAt(address);
  if (!unit)
    return;
  for (uint32_t number = unit->tables->innermostAt(address - unit->base); number != 0;) {
    const InlinedFunction &function = unit->tables->inlined(number);
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
    // Only the imported functions have function indices.
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
