//===- ByteCursor.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

void ByteCursor::fail(const Twine &message) { failAt(at_, message); }

void ByteCursor::failAt(const uint8_t *place, const Twine &message) {
  if (!ok())
    return;
  failure_ = message.str();
  at_ = place;
  failedAt_ = offset();
  // Leaves nothing to read, so that the fast paths in the header fail without a check for failure.
  base_ = failedAt_ - uint64_t(end_ - begin_);
  at_ = end_;
}

void ByteCursor::adoptFailure(const ByteCursor &part) {
  if (part.ok() || !ok())
    return;
  fail(part.failure_);
  failedAt_ = part.failedAt_;
}

int ByteCursor::failEnd(uint64_t wanted) {
  fail("unexpected end: " + countOf(wanted, "byte") + " wanted, " + Twine(remaining()) + " left");
  return 0;
}

ArrayRef<uint8_t> ByteCursor::bytes(uint64_t count) {
  if (count > remaining()) {
    failEnd(count);
    return {};
  }
  ArrayRef<uint8_t> result(at_, size_t(count));
  at_ += count;
  return result;
}

StringRef ByteCursor::sizedString() {
  uint32_t size = uleb32();
  return toStringRef(bytes(size));
}

Error ByteCursor::takeError(StringRef file) const {
  return ok() ? Error::success() : offsetError(file, failedAt_, failure_);
}

// WebAssembly permits at most ceil(bits / 7) bytes, without set bits beyond the value in the last
// one.
uint64_t ByteCursor::uleb(unsigned bits) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < bits; shift += 7) {
    if (at_ == end_)
      return uint64_t(failEnd(1));
    uint8_t byte = *at_;
    unsigned room = bits - shift;
    if (room < 7 && (byte & 0x7f) >> room) {
      fail("number too large for " + Twine(bits) + " bits");
      return 0;
    }
    ++at_;
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  fail("number too long for " + Twine(bits) + " bits");
  return 0;
}

int64_t ByteCursor::sleb(unsigned bits) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < bits; shift += 7) {
    if (at_ == end_)
      return failEnd(1);
    uint8_t byte = *at_;
    unsigned room = bits - shift;
    if (room < 7) {
      // All bits from the sign on must be equal.
      unsigned tail = (byte & 0x7f) >> (room - 1);
      if (tail != 0 && tail != (0x7fu >> (room - 1))) {
        fail("number too large for " + Twine(bits) + " bits");
        return 0;
      }
    }
    ++at_;
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80) {
      unsigned used = shift + 7;
      if (used < 64 && (byte & 0x40))
        value |= ~uint64_t(0) << used;
      return int64_t(value);
    }
  }
  fail("number too long for " + Twine(bits) + " bits");
  return 0;
}
