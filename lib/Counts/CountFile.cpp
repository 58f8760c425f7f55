//===- CountFile.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CountFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral signature = "WARPOCNT";
constexpr uint8_t knownVersion = 1;
enum class NumberForm : uint8_t { fixed, leb128 };

} // namespace

static std::string hashText(const std::array<uint8_t, 32> &hash) {
  return toHex(ArrayRef(hash), /*LowerCase=*/true);
}

bool warpo::isCountFile(StringRef bytes) { return bytes.starts_with(signature); }

static void writeHead(const CountData &data, NumberForm form, uint32_t counters,
                      ByteWriter &writer) {
  writer.bytes(signature.bytes_begin(), signature.bytes_end());
  writer.u8(knownVersion);
  writer.u8(uint8_t(form));
  writer.u8(uint8_t(data.choice));
  writer.bytes(data.moduleHash);
  for (unsigned shift = 0; shift != 64; shift += 8)
    writer.u8(uint8_t(data.fingerprint >> shift));
  writer.uleb(data.instances);
  writer.uleb(counters);
}

SmallVector<uint8_t, 0> warpo::encodeCountHead(const CountData &data, uint32_t counters) {
  SmallVector<uint8_t, 0> head;
  ByteWriter writer(head);
  writeHead(data, NumberForm::fixed, counters, writer);
  return head;
}

SmallVector<uint8_t, 0> warpo::encodeCounts(const CountData &data) {
  SmallVector<uint8_t, 0> bytes;
  ByteWriter writer(bytes);
  writeHead(data, NumberForm::leb128, uint32_t(data.counters.size()), writer);
  for (uint64_t counter : data.counters)
    writer.uleb(counter);
  return bytes;
}

Error CountData::add(const CountData &other, StringRef fileName) {
  if (other.moduleHash != moduleHash)
    return fileError(fileName, "counts of module " + hashText(other.moduleHash) +
                                   ", those before it are of " + hashText(moduleHash));
  if (other.choice != choice || other.fingerprint != fingerprint ||
      other.counters.size() != counters.size())
    return fileError(fileName, "counts of " + countOf(other.counters.size(), "counter") +
                                   " (plan " + utohexstr(other.fingerprint, true) +
                                   "), those before it are of " +
                                   countOf(counters.size(), "counter") + " (plan " +
                                   utohexstr(fingerprint, true) + ")");
  instances = SaturatingAdd(instances, other.instances);
  for (auto [sum, counter] : zip_equal(counters, other.counters)) {
    bool overflowed = false;
    sum = SaturatingAdd(sum, counter, &overflowed);
    saturated += overflowed;
  }
  return Error::success();
}

// What one instance, or a sum, says.
static CountData readPart(ByteCursor &cursor) {
  CountData data;
  const uint8_t *begin = cursor.position();
  if (toStringRef(cursor.bytes(signature.size())) != signature && cursor.ok())
    cursor.failAt(begin, "no counts begin here");
  begin = cursor.position();
  if (uint8_t version = cursor.u8(); version != knownVersion && cursor.ok())
    cursor.failAt(begin, "counts of version " + Twine(unsigned(version)) + ", known is " +
                             Twine(unsigned(knownVersion)));
  begin = cursor.position();
  uint8_t form = cursor.u8();
  data.choice = CounterChoice(cursor.u8());
  if (form > uint8_t(NumberForm::leb128) || data.choice > CounterChoice::all)
    cursor.failAt(begin, "an unknown form of counts");
  ArrayRef<uint8_t> hash = cursor.bytes(data.moduleHash.size());
  std::copy(hash.begin(), hash.end(), data.moduleHash.begin());
  data.fingerprint = cursor.u64();
  data.instances = cursor.uleb64();
  begin = cursor.position();
  uint32_t count = cursor.uleb32();
  bool isFixed = NumberForm(form) == NumberForm::fixed;
  if (cursor.ok() && count > cursor.remaining() / (isFixed ? 8 : 1))
    cursor.failAt(begin, countOf(count, "counter") + ", of which no more than " +
                             Twine(cursor.remaining() / (isFixed ? 8 : 1)) + " are there");
  if (!cursor.ok())
    return data;
  data.counters.resize(count);
  for (uint64_t &counter : data.counters)
    counter = isFixed ? cursor.u64() : cursor.uleb64();
  return data;
}

Expected<CountData> warpo::readCounts(ArrayRef<uint8_t> bytes, StringRef fileName) {
  ByteCursor cursor(bytes);
  std::optional<CountData> sum;
  do {
    CountData part = readPart(cursor);
    if (Error error = cursor.takeError(fileName))
      return error;
    if (!sum)
      sum = std::move(part);
    else if (Error error = sum->add(part, fileName))
      return error;
  } while (!cursor.atEnd());
  return std::move(*sum);
}
