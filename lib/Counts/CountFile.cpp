//===- CountFile.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CountFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/CountSignature.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr uint8_t knownVersion = 1;
/// Beside a CounterChoice.
constexpr uint8_t countsExceptions = 2;

} // namespace

bool warpo::isCountFile(StringRef bytes) { return bytes.starts_with(countSignature); }

SmallVector<uint8_t, 0> warpo::encodeCountHead(const CountData &data, uint32_t counters) {
  SmallVector<uint8_t, 0> head;
  ByteWriter writer(head);
  writer.bytes(countSignature.bytes_begin(), countSignature.bytes_end());
  writer.u8(knownVersion);
  writer.u8(uint8_t(NumberForm::fixed));
  writer.u8(uint8_t(data.options.choice) | (data.options.countsExceptions ? countsExceptions : 0));
  writer.bytes(data.moduleHash);
  for (unsigned shift = 0; shift != 64; shift += 8)
    writer.u8(uint8_t(data.fingerprint >> shift));
  writer.uleb(data.instances);
  writer.uleb(counters);
  return head;
}

Error CountSums::checkPlan(const CountData &part, const CountData &sum, StringRef fileName) const {
  if (part.options == sum.options && part.fingerprint == sum.fingerprint &&
      part.counters.size() == sum.counters.size())
    return Error::success();
  return fileError(fileName, countOf(part.counters.size(), "counter") + " of plan " +
                                 utohexstr(part.fingerprint, true) + ", those before it are " +
                                 std::to_string(sum.counters.size()) + " of plan " +
                                 utohexstr(sum.fingerprint, true));
}

Error CountSums::add(CountData part, StringRef fileName) {
  auto [known, isNew] = places_.try_emplace(part.moduleHash, modules_.size());
  if (isNew) {
    modules_.push_back(std::move(part));
    return Error::success();
  }
  CountData &sum = modules_[known->second];
  if (Error error = checkPlan(part, sum, fileName))
    return error;
  sum.left.add(part.left);
  sum.begun.add(part.begun);
  sum.instances = SaturatingAdd(sum.instances, part.instances);
  for (auto [counter, added] : zip_equal(sum.counters, part.counters)) {
    bool overflowed = false;
    counter = SaturatingAdd(counter, added, &overflowed);
    sum.saturated += overflowed;
  }
  return Error::success();
}

Error CountSums::subtract(const CountSums &earlier, StringRef fileName) {
  for (const CountData &part : earlier.modules_) {
    auto known = places_.find(part.moduleHash);
    if (known == places_.end())
      return fileError(fileName, "counts of module " + toHex(part.moduleHash, true) +
                                     ", but the other files have none to subtract from");
    CountData &sum = modules_[known->second];
    if (Error error = checkPlan(part, sum, fileName))
      return error;
    for (auto [i, counter, taken] : enumerate(sum.counters, part.counters)) {
      if (taken > counter)
        return fileError(fileName,
                         "counter " + Twine(i) + " is " + Twine(taken) + ", and " + Twine(counter) +
                             " in the other counts: not an earlier moment of the same run");
      counter -= taken;
    }
    sum.begun.add(part.left);
    sum.left.add(part.begun);
  }
  return Error::success();
}

// The counts of one instance, or a sum.
static CountData readPart(ByteCursor &cursor) {
  CountData data;
  const uint8_t *begin = cursor.position();
  if (toStringRef(cursor.bytes(countSignature.size())) != countSignature && cursor.ok())
    cursor.failAt(begin, "no counts begin here");
  begin = cursor.position();
  if (uint8_t version = cursor.u8(); version != knownVersion && cursor.ok())
    cursor.failAt(begin, "counts of version " + Twine(unsigned(version)) + ", known is " +
                             Twine(unsigned(knownVersion)));
  begin = cursor.position();
  uint8_t form = cursor.u8();
  uint8_t choice = cursor.u8();
  data.options = {CounterChoice(choice & ~countsExceptions), (choice & countsExceptions) != 0};
  if (form > uint8_t(NumberForm::leb128) || data.options.choice > CounterChoice::all)
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
  if (isAtLeftCalls(cursor, wasm::leftCallsSignature))
    data.left = readLeftCalls(cursor);
  if (isAtLeftCalls(cursor, wasm::begunCallsSignature))
    data.begun = readLeftCalls(cursor);
  return data;
}

Error CountSums::add(ArrayRef<uint8_t> bytes, StringRef fileName) {
  ByteCursor cursor(bytes);
  do {
    CountData part = readPart(cursor);
    if (Error error = cursor.takeError(fileName))
      return error;
    if (Error error = add(std::move(part), fileName))
      return error;
  } while (!cursor.atEnd());
  return Error::success();
}
