//===- LabelNames.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LabelNames.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/NameSection.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

bool wasm::requestLabelled(ByteCursor cursor, CodeMovements &movements) {
  bool found = false;
  while (cursor.ok() && !cursor.atEnd()) {
    auto kind = NameKind(cursor.u8());
    ByteCursor contents(cursor.bytes(cursor.uleb32()));
    if (kind != NameKind::labels)
      continue;
    for (uint32_t i = 0, count = readCount(contents); i < count && contents.ok(); ++i) {
      uint32_t function = contents.uleb32();
      if (!contents.ok())
        break;
      found = true;
      movements.request(function);
      for (uint32_t j = 0, names = readCount(contents); j < names && contents.ok(); ++j) {
        contents.uleb32();
        contents.sizedString();
      }
    }
  }
  return found;
}

// The offsets in a body of the instructions that have labels.
static std::vector<uint32_t> labelledOffsets(ArrayRef<uint8_t> body) {
  std::vector<uint32_t> offsets;
  ByteCursor cursor(body);
  skipLocals(cursor);
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    if (instruction.info->role == OpcodeRole::opens)
      offsets.push_back(uint32_t(instruction.begin - body.begin()));
  return offsets;
}

LabelMap::LabelMap(const Module &module, const SmallVectorImpl<uint8_t> &out, size_t codeSection,
                   const CodeMovements &movements)
    : module_(module), out_(out), movements_(movements) {
  ByteCursor cursor(ArrayRef<uint8_t>(out).drop_front(codeSection), codeSection);
  cursor.u8();
  cursor.uleb32();
  bodies_.resize(cursor.uleb32());
  for (Body &body : bodies_) {
    body.size = cursor.uleb32();
    body.begin = size_t(cursor.offset());
    cursor.skip(body.size);
  }
}

std::vector<uint32_t> LabelMap::labelsOf(uint32_t function, uint32_t newBody) const {
  std::vector<uint32_t> labels =
      labelledOffsets(module_.bodies[function - module_.importedFunctionCount()].bytes);
  const Body &body = bodies_[newBody];
  std::vector<uint32_t> offsets =
      labelledOffsets(ArrayRef<uint8_t>(out_).slice(body.begin, body.size));
  auto next = offsets.begin();
  for (uint32_t &label : labels) {
    next = std::lower_bound(next, offsets.end(), movements_.newOffset(function, label));
    label = uint32_t(next - offsets.begin());
  }
  return labels;
}
