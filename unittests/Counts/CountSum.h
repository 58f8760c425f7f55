//===- CountSum.h - A file with a sum of counts, as others may write it ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_COUNTS_COUNTSUM_H
#define WARPO_UNITTESTS_COUNTS_COUNTSUM_H

#include "warpo/Counts/CountFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/StringExtras.h"

namespace warpo {

/// Numbers in LEB128, and places of the original module.
inline llvm::SmallVector<uint8_t, 0> encodeSum(const CountData &data) {
  constexpr size_t formOffset = 9;
  llvm::SmallVector<uint8_t, 0> bytes = encodeCountHead(data, uint32_t(data.counters.size()));
  bytes[formOffset] = 1;
  ByteWriter writer(bytes);
  for (uint64_t counter : data.counters)
    writer.uleb(counter);
  if (data.left.calls.empty() && data.left.unknownStacks == 0)
    return bytes;
  writer.bytes(llvm::arrayRefFromStringRef(wasm::leftCallsSignature));
  writer.u8(1);
  writer.uleb(data.left.unknownStacks);
  writer.name("");
  writer.uleb(data.left.calls.size());
  for (auto [place, count] : data.left.calls)
    for (uint64_t number : {uint64_t(place.function), uint64_t(place.code), count})
      writer.uleb(number);
  return bytes;
}

} // namespace warpo

#endif
