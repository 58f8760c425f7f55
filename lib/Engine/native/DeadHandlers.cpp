//===- DeadHandlers.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DeadHandlers.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/Module.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/Types.h"
#include <vector>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

/// Walks over functions and collects the bytes to overwrite.
class HandlerFinder {
public:
  /// Returns false if the code cannot be changed.
  bool add(const ByteRange &body);

  struct Change {
    const uint8_t *begin;
    const uint8_t *end;
    uint8_t code;
  };
  ArrayRef<Change> changes() const { return changes_; }

private:
  bool step(const Instruction &instruction);

  /// The begin of the first handler of each open block; null: none yet.
  std::vector<const uint8_t *> handlers_;
  std::vector<Change> changes_;
};

} // namespace

static constexpr uint8_t exnrefType = 0x69;

static const uint8_t *endOfBlockType(const Instruction &instruction) {
  ByteCursor cursor(ArrayRef(instruction.immediates, instruction.end));
  skipBlockType(cursor);
  return cursor.position();
}

// Changes within a handler come before the change of the whole handler.
bool HandlerFinder::step(const Instruction &instruction) {
  switch (*instruction.begin) {
  case "throw"_op:
  case "delegate"_op:
    return false;
  case "throw_ref"_op:
    changes_.push_back({instruction.begin, instruction.begin + 1, "unreachable"_op});
    break;
  case "try"_op:
    changes_.push_back({instruction.begin, instruction.begin + 1, "block"_op});
    break;
  case "try_table"_op:
    changes_.push_back({instruction.begin, instruction.begin + 1, "block"_op});
    changes_.push_back({endOfBlockType(instruction), instruction.end, "nop"_op});
    break;
  case "block"_op:
    // Only a handler would branch to this block, so any result type will do.
    if (*instruction.immediates == exnrefType)
      changes_.push_back(
          {instruction.immediates, instruction.immediates + 1, uint8_t(ValueType::i32)});
    break;
  case "catch"_op:
  case "catch_all"_op:
    if (handlers_.empty())
      return false;
    if (!handlers_.back())
      handlers_.back() = instruction.begin;
    break;
  default:
    break;
  }
  if (instruction.info->role == OpcodeRole::opens)
    handlers_.push_back(nullptr);
  if (instruction.info->role != OpcodeRole::closes || handlers_.empty())
    return true;
  if (const uint8_t *handler = handlers_.back())
    changes_.push_back({handler, instruction.begin, "nop"_op});
  handlers_.pop_back();
  return true;
}

bool HandlerFinder::add(const ByteRange &body) {
  ByteCursor cursor = body.cursor();
  skipLocals(cursor);
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    if (!step(instruction))
      return false;
  return true;
}

Error warpo::removeDeadHandlers(MutableArrayRef<uint8_t> bytes, StringRef fileName) {
  auto module = readModule(bytes, fileName);
  if (!module)
    return module.takeError();
  HandlerFinder finder;
  for (const ByteRange &body : module->bodies)
    if (!finder.add(body))
      return Error::success();
  for (const HandlerFinder::Change &change : finder.changes())
    for (uint8_t &code : bytes.slice(change.begin - bytes.data(), change.end - change.begin))
      code = change.code;
  return Error::success();
}
