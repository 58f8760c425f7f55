//===- HeapInterval.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapInterval.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<uint64_t> warpo::readHeapInterval(StringRef text) {
  constexpr uint64_t most = (uint64_t(1) << 53) - 1;
  StringRef digits = text;
  unsigned shift = 0;
  for (auto [unit, bits] : {std::pair{"KiB", 10}, {"MiB", 20}, {"GiB", 30}})
    if (text.ends_with(unit)) {
      digits = text.drop_back(3);
      shift = unsigned(bits);
    }
  uint64_t number;
  if (digits.getAsInteger(10, number) || number == 0 || number > most >> shift)
    return makeError("--heap-sample-every is '" + text +
                     "', not a number of bytes from 1 to 2^53-1, such as 512KiB");
  return number << shift;
}
