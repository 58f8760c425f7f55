//===- TranslatorLimits.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TranslatorLimits.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CodeWalker.h"

using namespace llvm;
using namespace warpo;

/// Whether the name could end a one-line comment that contains it. `*` and `/` need not be
/// adjacent, as C joins lines at a backslash.
static bool endsComment(StringRef name) {
  return (name.contains('*') && name.contains('/')) ||
         name.find_first_of("\n\r") != StringRef::npos;
}

Error warpo::checkNamesInComments(const wasm::Module &module) {
  auto refuse = [&](StringRef name) {
    return fileError(module.fileName, "engine native does not translate a module with the name '" +
                                          name +
                                          "', which would break a comment of wasm2c's C; try "
                                          "--engine=node");
  };
  for (const wasm::Import &import : module.imports)
    for (StringRef name : {import.module, import.name})
      if (endsComment(name))
        return refuse(name);
  for (const wasm::Export &entry : module.exports)
    if (endsComment(entry.name))
      return refuse(entry.name);
  return Error::success();
}

Error warpo::checkGlobals(const wasm::Module &module) {
  constexpr uint32_t most = 50'000;
  if (module.globalCount <= most)
    return Error::success();
  return fileError(module.fileName, "has " + countOf(module.globalCount, "global") +
                                        ", and wasm2c takes minutes with "
                                        "more than " +
                                        Twine(most) +
                                        "; counts may be in a memory (warpo-instrument "
                                        "--counters-in=memory), or try --engine=node");
}

namespace {

/// Proposals that wasm2c does not support.
struct UsedFeatures {
  bool exceptions = false;
  bool simd = false;
  bool tailCalls = false;

  void add(const wasm::Instruction &instruction) {
    StringRef name = instruction.info->name;
    constexpr uint8_t simdPrefix = 0xfd;
    simd |= *instruction.begin == simdPrefix;
    tailCalls |= instruction.info->role == wasm::OpcodeRole::tailCalls;
    exceptions |= name.starts_with("try") || name.starts_with("throw");
  }
};

} // namespace

std::string warpo::adviseAfterRefusal(const wasm::Module &module) {
  UsedFeatures used;
  for (const wasm::ByteRange &body : module.bodies) {
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      used.add(instruction);
  }
  if (used.exceptions)
    return "; the module uses exceptions: try --engine=node";
  if (used.simd)
    return "; the module uses SIMD: try --engine=node";
  if (used.tailCalls)
    return "; the module uses tail calls: try --engine=node";
  return "; try --engine=node";
}
