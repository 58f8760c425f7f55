//===- QuantileSketch.h - Quantiles of many numbers in little memory ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A log-linear histogram like HdrHistogram (Gil Tene, 2012): each power of two is divided into 32
// equal buckets. A quantile is the middle of its bucket, so its relative error is at most 1/64 (1.6
// %); it is exact for up to 16 numbers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_QUANTILESKETCH_H
#define WARPO_SUPPORT_QUANTILESKETCH_H

#include "llvm/ADT/bit.h"
#include <cstdint>
#include <vector>

namespace warpo {

class QuantileSketch {
public:
  /// The maximum relative error of a quantile.
  static constexpr double relativeError = 1.0 / 64;

  void add(uint64_t value) {
    ++count_;
    size_t bucket = bucketOf(value) - firstBucket_;
    if (bucket >= buckets_.size())
      addSlowly(value);
    else if (++buckets_[bucket] == 0)
      fullBuckets_.push_back(uint32_t(bucket + firstBucket_));
  }
  void merge(const QuantileSketch &other);

  uint64_t count() const { return count_; }
  /// The smallest number such that `share` (0 to 1) of all numbers do not exceed it: the one of
  /// rank ceil(share * count), at least the first. 0 if there are no numbers.
  uint64_t quantile(double share) const;

private:
  static constexpr unsigned subBits = 5;
  static constexpr size_t maxExact = 16;

  static size_t bucketOf(uint64_t value) {
    if (value < (1u << subBits))
      return size_t(value);
    auto exponent = unsigned(63 - llvm::countl_zero(value));
    return (size_t(exponent - subBits + 1) << subBits) +
           ((value >> (exponent - subBits)) & ((1u << subBits) - 1));
  }
  static uint64_t middleOf(size_t bucket);
  void addSlowly(uint64_t value);
  uint32_t &bucketFor(uint64_t value);
  void moveToBuckets();

  uint64_t count_ = 0;
  /// All numbers while they are few; then they move to the buckets.
  std::vector<uint64_t> exact_;
  /// From firstBucket_ on, whole powers of two: at most 8 KB. Counts have 32 bits so that the
  /// buckets of more functions fit into the cache.
  std::vector<uint32_t> buckets_;
  size_t firstBucket_ = 0;
  /// Contains a bucket once for each overflow of its count.
  std::vector<uint32_t> fullBuckets_;
};

} // namespace warpo

#endif
