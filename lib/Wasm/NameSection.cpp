//===- NameSection.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/NameSection.h"
#include "warpo/Wasm/Types.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static void readFunctionNames(ByteCursor &cursor, uint32_t functionCount, Names &names) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    const uint8_t *begin = cursor.position();
    uint32_t function = cursor.uleb32();
    StringRef name = cursor.sizedString();
    if (!cursor.ok())
      return;
    if (function >= functionCount)
      return cursor.failAt(begin, "name of function " + Twine(function) +
                                      ", but the module has only " + Twine(functionCount));
    if (function >= names.functions.size())
      names.functions.resize(function + 1);
    names.functions[function] = name;
  }
}

// Names within functions are only checked.
static void checkNamesByFunction(ByteCursor &cursor, uint32_t functionCount) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    const uint8_t *begin = cursor.position();
    uint32_t function = cursor.uleb32();
    if (cursor.ok() && function >= functionCount)
      return cursor.failAt(begin, "names in function " + Twine(function) +
                                      ", but the module has only " + Twine(functionCount));
    for (uint32_t j = 0, names = readCount(cursor); j < names && cursor.ok(); ++j) {
      cursor.uleb32();
      cursor.sizedString();
    }
  }
}

Names wasm::readNameSection(ByteCursor &cursor, uint32_t functionCount) {
  Names names;
  int lastKind = -1;
  while (!cursor.atEnd() && cursor.ok()) {
    const uint8_t *begin = cursor.position();
    uint8_t kind = cursor.u8();
    uint32_t size = cursor.uleb32();
    if (kind <= lastKind)
      cursor.failAt(begin,
                    "names of kind " + Twine(unsigned(kind)) + " are out of order or repeated");
    lastKind = kind;
    uint64_t offset = cursor.offset();
    ByteCursor contents(cursor.bytes(size), offset);
    if (kind == uint8_t(NameKind::module))
      names.module = contents.sizedString();
    else if (kind == uint8_t(NameKind::functions))
      readFunctionNames(contents, functionCount, names);
    else if (kind == uint8_t(NameKind::locals) || kind == uint8_t(NameKind::labels))
      checkNamesByFunction(contents, functionCount);
    cursor.adoptFailure(contents);
  }
  return names;
}
