//===- Sampler.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Sampler.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpo;

void Sampler::record(Instance &instance, uint64_t fuel, const std::vector<OpenCall> &calls,
                     llvm::ArrayRef<std::string> guestFrames) {
  totalFuel_ += fuel - instance.fuel;
  instance.fuel = fuel;
  frames_.clear();
  for (const OpenCall &call : llvm::reverse(calls))
    frames_.push_back({call.module, call.id, nullptr});
  for (const std::string &name : guestFrames)
    frames_.push_back({0, 0, name.c_str()});
  warpo_sample(stream_, totalFuel_, frames_.data(), frames_.size());
}
