//===- DwarfHelper.cpp - The program warpo-dwarf --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads DWARF: request and answer are those of DwarfRequest.h. How it is called is said in
// Helper.h.
//
//===----------------------------------------------------------------------===//

#include "../../Toolchain/helpers/HelperMain.h"
#include "DwarfRequest.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

// The largest known modules take a tenth of this.
static constexpr size_t memory = size_t(64) << 20;
static constexpr rlim_t seconds = 5;
static constexpr size_t bytesForSecond = 1 << 20;

// A kilobyte of DWARF can take any amount of time.
static void limitTime(size_t inputSize) {
  rlimit limit;
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, seconds + inputSize / bytesForSecond);
  setrlimit(RLIMIT_CPU, &limit);
  // No core file for the signal that ends it.
  limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
}

int main() {
  std::string request = helperInput(memory);
  limitTime(request.size());
  auto input = decodeDwarfRequest(arrayRefFromStringRef(request));
  if (!input)
    helperFailed(toString(input.takeError()));
  SmallVector<uint8_t, 0> answer = encodeDwarfAnswer(readDwarf(*input));
  helperDone(reinterpret_cast<const char *>(answer.data()), answer.size());
}
