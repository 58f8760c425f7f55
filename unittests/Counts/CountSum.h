//===- CountSum.h - A file with a sum of counts, as others may write it ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_COUNTS_COUNTSUM_H
#define WARPO_UNITTESTS_COUNTS_COUNTSUM_H

#include "warpo/Counts/CountFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/CountSignature.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/StringExtras.h"

namespace warpo {

/// Calls at places of the original module, as they stand behind the counters.
inline void writeOpenCalls(ByteWriter &writer, llvm::StringRef signature, const LeftCalls &calls) {
  writer.bytes(llvm::arrayRefFromStringRef(signature));
  writer.u8(wasm::leftCallsVersion);
  writer.uleb(calls.unknownStacks);
  writer.name("");
  writer.uleb(calls.calls.size());
  for (auto [place, count] : calls.calls)
    for (uint64_t number : {uint64_t(place.function), uint64_t(place.code), count})
      writer.uleb(number);
}

/// Numbers in LEB128.
inline llvm::SmallVector<uint8_t, 0> encodeSum(const CountData &data) {
  // Behind the signature and the version.
  constexpr size_t formOffset = countSignature.size() + 1;
  llvm::SmallVector<uint8_t, 0> bytes = encodeCountHead(data, uint32_t(data.counters.size()));
  bytes[formOffset] = uint8_t(NumberForm::leb128);
  ByteWriter writer(bytes);
  for (uint64_t counter : data.counters)
    writer.uleb(counter);
  writeOpenCalls(writer, wasm::leftCallsSignature, data.left);
  writeOpenCalls(writer, wasm::begunCallsSignature, data.begun);
  return bytes;
}

} // namespace warpo

#endif
