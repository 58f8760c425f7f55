//===- Shares.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Shares.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>

using namespace llvm;
using namespace warpo;

std::vector<Share> warpo::divideIntoShares(ArrayRef<uint64_t> weights, unsigned threads,
                                           uint64_t least) {
  if (!threads)
    threads = std::max(1u, std::thread::hardware_concurrency());
  uint64_t total = std::accumulate(weights.begin(), weights.end(), uint64_t(0));
  uint64_t count = std::max<uint64_t>(1, std::min<uint64_t>(threads, total / least));
  std::vector<Share> shares(1);
  uint64_t passed = 0;
  for (uint32_t i = 0; i != weights.size(); ++i) {
    if (shares.size() < count && passed >= total * shares.size() / count) {
      shares.emplace_back();
      shares.back().begin = i;
    }
    shares.back().end = i + 1;
    shares.back().weight += weights[i];
    passed += weights[i];
  }
  return shares;
}

Error warpo::workInParallel(size_t count, function_ref<Error(size_t)> work) {
  std::vector<std::optional<Error>> results(count);
  auto run = [&](size_t i) { results[i].emplace(work(i)); };
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < count; ++i)
      threads.emplace_back(run, i);
  } catch (const std::system_error &) {
    // This thread does the rest.
  }
  if (count)
    run(0);
  for (size_t i = threads.size() + 1; i < count; ++i)
    run(i);
  Error first = Error::success();
  for (size_t i = 0; i != count; ++i) {
    if (i != 0 && i <= threads.size())
      threads[i - 1].join();
    if (first)
      consumeError(std::move(*results[i]));
    else
      first = std::move(*results[i]);
  }
  return first;
}
