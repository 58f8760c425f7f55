//===- Types.cpp ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Types.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

// The first bytes of types. As signed LEB128 they are the negative numbers from -1 (0x7f) down.
enum TypeCode : uint8_t {
  refCode = 0x64,
  refNullCode = 0x63,
  sharedCode = 0x65,
  exactCode = 0x62,
  funcCode = 0x60,
  structCode = 0x5f,
  arrayCode = 0x5e,
  contCode = 0x5d,
  waitqueueCode = 0x5c,
  subCode = 0x50,
  subFinalCode = 0x4f,
  recCode = 0x4e,
  descriptorCode = 0x4d,
  describesCode = 0x4c,
  emptyBlockCode = 0x40,
};

bool isNumericOrVector(uint8_t code) { return code >= 0x7b && code <= 0x7f; }
bool isPacked(uint8_t code) { return code == 0x77 || code == 0x78; }

// From 0x75 down: nocont, noexn, nofunc, noextern, none, func, extern, any, eq, i31, struct, array,
// exn, cont, string; and one apart.
bool isAbstractHeapType(uint8_t code) {
  return (code >= 0x67 && code <= 0x75) || code == waitqueueCode;
}

uint8_t peek(const ByteCursor &cursor) { return cursor.atEnd() ? 0 : *cursor.position(); }

void failType(ByteCursor &cursor, const char *what) {
  if (cursor.atEnd())
    cursor.u8(); // says that the bytes end here
  else
    cursor.fail(Twine("unknown ") + what + " 0x" + utohexstr(*cursor.position(), true));
}

void skipIndex(ByteCursor &cursor, const char *what) {
  if ((peek(cursor) & 0xc0) == 0x40)
    return failType(cursor, what); // negative, in one byte
  if (cursor.sleb33() < 0)
    cursor.fail(Twine("negative index in a ") + what);
}

} // namespace

void wasm::skipHeapType(ByteCursor &cursor) {
  if (peek(cursor) == sharedCode) {
    cursor.u8();
    if (!isAbstractHeapType(peek(cursor)))
      return failType(cursor, "shared heap type");
  }
  if (isAbstractHeapType(peek(cursor))) {
    cursor.u8();
    return;
  }
  if (peek(cursor) == exactCode)
    cursor.u8();
  skipIndex(cursor, "heap type");
}

void wasm::skipValueType(ByteCursor &cursor, bool packed) {
  uint8_t code = peek(cursor);
  if (isNumericOrVector(code) || (packed && isPacked(code))) {
    cursor.u8();
  } else if (code == refCode || code == refNullCode) {
    cursor.u8();
    skipHeapType(cursor);
  } else if (isAbstractHeapType(code) || code == sharedCode) {
    skipHeapType(cursor);
  } else {
    failType(cursor, "value type");
  }
}

bool wasm::leadsToFunctions(ByteCursor cursor) {
  enum : uint8_t { externref = 0x6f, nullExternref = 0x72 };
  uint8_t code = cursor.u8();
  while (code == refCode || code == refNullCode || code == sharedCode)
    code = cursor.u8();
  return !isNumericOrVector(code) && code != externref && code != nullExternref;
}

void wasm::skipBlockType(ByteCursor &cursor) {
  uint8_t code = peek(cursor);
  if (code == emptyBlockCode)
    cursor.u8();
  else if (code > emptyBlockCode && code < 0x80)
    skipValueType(cursor);
  else
    skipIndex(cursor, "block type");
}

void wasm::skipLimits(ByteCursor &cursor) {
  enum : uint8_t { hasMaximum = 1, shared = 2, is64 = 4, hasPageSize = 8, known = 15 };
  uint8_t flags = peek(cursor);
  if (flags & ~known)
    return failType(cursor, "kind of limits");
  cursor.u8();
  auto number = [&] { return flags & is64 ? cursor.uleb64() : cursor.uleb32(); };
  number();
  if (flags & hasMaximum)
    number();
  if (flags & hasPageSize)
    cursor.uleb32();
}

bool wasm::skipInitialValueMark(ByteCursor &cursor) {
  bool hasInitialValue = !cursor.atEnd() && *cursor.position() == 0x40;
  if (hasInitialValue)
    cursor.skip(2);
  return hasInitialValue;
}

void wasm::skipTableType(ByteCursor &cursor) {
  skipValueType(cursor);
  skipLimits(cursor);
}

void wasm::skipGlobalType(ByteCursor &cursor) {
  enum : uint8_t { isMutable = 1, shared = 2 };
  skipValueType(cursor);
  if (peek(cursor) & ~(isMutable | shared))
    return failType(cursor, "kind of global");
  cursor.u8();
}

void wasm::skipTagType(ByteCursor &cursor) {
  if (peek(cursor) != 0)
    return failType(cursor, "kind of tag");
  cursor.u8();
  cursor.uleb32();
}

uint32_t wasm::readCount(ByteCursor &cursor) {
  uint32_t count = cursor.uleb32();
  if (count <= cursor.remaining())
    return count;
  cursor.fail("count " + Twine(count) + ", but " + Twine(cursor.remaining()) + " bytes are left");
  return 0;
}

TypeList wasm::readTypeList(ByteCursor &cursor) {
  TypeList list;
  list.count = readCount(cursor);
  const uint8_t *begin = cursor.position();
  for (uint32_t i = 0; i < list.count && cursor.ok(); ++i)
    skipValueType(cursor);
  if (!cursor.ok())
    return {};
  list.bytes = ArrayRef<uint8_t>(begin, cursor.position());
  return list;
}

static void skipField(ByteCursor &cursor) {
  skipValueType(cursor, /*packed=*/true);
  if (peek(cursor) > 1)
    return failType(cursor, "mutability of a field");
  cursor.u8();
}

// Every engine has this limit. Without it, thunks of imports, with a local.get for each parameter,
// could be far larger than the module.
static TypeList readBoundedTypeList(ByteCursor &cursor) {
  const uint32_t limit = 1000;
  const uint8_t *begin = cursor.position();
  TypeList list = readTypeList(cursor);
  if (list.count > limit)
    cursor.failAt(begin, Twine(list.count) + " parameters or results, more than " + Twine(limit));
  return list;
}

static std::optional<FunctionType> readCompositeType(ByteCursor &cursor) {
  if (peek(cursor) == sharedCode)
    cursor.u8();
  // The type that this one describes, and the one that describes it.
  for (uint8_t relation : {describesCode, descriptorCode}) {
    if (peek(cursor) != relation)
      continue;
    cursor.u8();
    cursor.uleb32();
  }
  switch (peek(cursor)) {
  case funcCode: {
    cursor.u8();
    FunctionType type;
    type.params = readBoundedTypeList(cursor);
    type.results = readBoundedTypeList(cursor);
    return type;
  }
  case structCode:
    cursor.u8();
    for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
      skipField(cursor);
    return std::nullopt;
  case arrayCode:
    cursor.u8();
    skipField(cursor);
    return std::nullopt;
  case contCode:
    cursor.u8();
    skipIndex(cursor, "continuation type");
    return std::nullopt;
  default:
    failType(cursor, "form of type");
    return std::nullopt;
  }
}

static std::optional<FunctionType> readSubType(ByteCursor &cursor) {
  uint8_t code = peek(cursor);
  uint32_t supertypes = 0;
  if (code == subCode || code == subFinalCode) {
    cursor.u8();
    supertypes = readCount(cursor);
    for (uint32_t i = 0; i < supertypes && cursor.ok(); ++i)
      cursor.uleb32();
  }
  bool isShared = peek(cursor) == sharedCode;
  std::optional<FunctionType> type = readCompositeType(cursor);
  if (type) {
    type->isFinal = code != subCode;
    type->isPlain = type->isFinal && !supertypes && !isShared;
  }
  return type;
}

TypeTable wasm::readTypeSection(ByteCursor &cursor) {
  TypeTable types;
  uint32_t groups = readCount(cursor);
  for (uint32_t i = 0; i < groups && cursor.ok(); ++i) {
    uint32_t size = 1;
    if (peek(cursor) == recCode) {
      cursor.u8();
      size = readCount(cursor);
    }
    for (uint32_t j = 0; j < size && cursor.ok(); ++j) {
      types.push_back(readSubType(cursor));
      if (size != 1 && types.back())
        types.back()->isPlain = false;
    }
  }
  return types;
}
