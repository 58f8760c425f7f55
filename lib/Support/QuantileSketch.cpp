//===- QuantileSketch.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/QuantileSketch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace warpo;

uint64_t QuantileSketch::middleOf(size_t bucket) {
  if (bucket < (1u << subBits))
    return bucket;
  unsigned shift = unsigned(bucket >> subBits) - 1;
  uint64_t first = (uint64_t(1) << subBits | (bucket & ((1u << subBits) - 1))) << shift;
  return first + (uint64_t(1) << shift) / 2;
}

uint32_t &QuantileSketch::bucketFor(uint64_t value) {
  constexpr size_t power = 1u << subBits;
  size_t bucket = bucketOf(value);
  size_t firstOfPower = bucket & ~(power - 1);
  if (buckets_.empty())
    firstBucket_ = firstOfPower;
  if (bucket < firstBucket_) {
    buckets_.insert(buckets_.begin(), firstBucket_ - firstOfPower, 0);
    firstBucket_ = firstOfPower;
  }
  if (bucket - firstBucket_ >= buckets_.size())
    buckets_.resize(firstOfPower + power - firstBucket_);
  return buckets_[bucket - firstBucket_];
}

void QuantileSketch::moveToBuckets() {
  for (uint64_t value : exact_)
    ++bucketFor(value);
  exact_ = {};
}

void QuantileSketch::addSlowly(uint64_t value) {
  if (buckets_.empty() && exact_.size() < maxExact) {
    exact_.push_back(value);
    return;
  }
  moveToBuckets();
  ++bucketFor(value);
}

void QuantileSketch::merge(const QuantileSketch &other) {
  count_ += other.count_;
  for (uint64_t value : other.exact_)
    addSlowly(value);
  if (other.buckets_.empty())
    return;
  moveToBuckets();
  for (size_t i = 0; i < other.buckets_.size(); ++i) {
    uint32_t more = other.buckets_[i];
    if (more == 0)
      continue;
    uint32_t &bucket = bucketFor(middleOf(other.firstBucket_ + i));
    bucket += more;
    if (bucket < more)
      fullBuckets_.push_back(uint32_t(other.firstBucket_ + i));
  }
  fullBuckets_.insert(fullBuckets_.end(), other.fullBuckets_.begin(), other.fullBuckets_.end());
}

uint64_t QuantileSketch::quantile(double share) const {
  if (count_ == 0)
    return 0;
  auto rank = uint64_t(std::ceil(share * double(count_)));
  rank = std::clamp<uint64_t>(rank, 1, count_);
  if (buckets_.empty()) {
    std::vector<uint64_t> sorted = exact_;
    std::nth_element(sorted.begin(), sorted.begin() + ptrdiff_t(rank - 1), sorted.end());
    return sorted[rank - 1];
  }
  uint64_t below = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    below += buckets_[i] + (uint64_t(llvm::count(fullBuckets_, firstBucket_ + i)) << 32);
    if (below >= rank)
      return middleOf(firstBucket_ + i);
  }
  return middleOf(firstBucket_ + buckets_.size() - 1);
}
