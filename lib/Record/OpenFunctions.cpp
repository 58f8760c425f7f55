//===- OpenFunctions.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/OpenFunctions.h"
#include "warpo/Support/SectionId.h"

using namespace warpo;

void OpenFunctions::follow(int32_t id) {
  // The end behind a trap is that of the call which it took; a trap has none of its own.
  if (id == trapId || id == -trapId)
    return;
  if (id > 0) {
    auto [place, isNew] = numbers_.try_emplace(id, functions_.size());
    if (isNew)
      functions_.push_back({id, 0});
    ++functions_[place->second].openCalls;
    open_.push_back(place->second);
    return;
  }
  auto ended = numbers_.find(-id);
  // Damaged records may have many ends without a begin, and a deep stack to search for each.
  if (ended == numbers_.end() || functions_[ended->second].openCalls == 0)
    return;
  uint32_t number;
  do {
    number = open_.back();
    open_.pop_back();
    --functions_[number].openCalls;
  } while (number != ended->second);
}
