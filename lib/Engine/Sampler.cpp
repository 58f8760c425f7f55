//===- Sampler.cpp --------------------------------------------------------===//

#include "Sampler.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpo;

void Sampler::record(Instance &instance, uint64_t fuel, const std::vector<OpenCall> &calls) {
  totalFuel_ += fuel - instance.fuel;
  instance.fuel = fuel;
  frames_.clear();
  for (const OpenCall &call : llvm::reverse(calls))
    frames_.push_back({call.module, call.id, nullptr});
  warpo_sample(stream_, totalFuel_, frames_.data(), frames_.size());
}
