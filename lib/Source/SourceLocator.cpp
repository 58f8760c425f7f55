//===- SourceLocator.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Source/SourceLocator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(SourceLocator)

bool warpo::canLocate(const LocatorInput &input) {
  auto known = warpo::Registry<SourceLocator>::entries();
  if (!known)
    return consumeError(known.takeError()), false;
  return any_of(*known, [&](const RegistryEntryInfo &entry) {
    auto locator = cantFail(warpo::Registry<SourceLocator>::create(entry.name));
    return locator->claim(input) != LocatorClaim::none;
  });
}

Expected<ModulePlaces> warpo::locateModule(const LocatorInput &input) {
  auto known = warpo::Registry<SourceLocator>::entries();
  if (!known)
    return known.takeError();
  struct Candidate {
    StringRef name;
    std::unique_ptr<SourceLocator> locator;
    LocatorClaim claim;
  };
  std::vector<Candidate> candidates;
  for (const RegistryEntryInfo &entry : *known) {
    auto locator = cantFail(warpo::Registry<SourceLocator>::create(entry.name));
    LocatorClaim claim = locator->claim(input);
    if (claim != LocatorClaim::none)
      candidates.push_back({entry.name, std::move(locator), claim});
  }
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.claim != b.claim ? a.claim > b.claim : a.name < b.name;
  });
  std::vector<std::string> problems;
  for (const Candidate &candidate : candidates) {
    auto places = candidate.locator->read(input);
    if (!places && candidate.claim == LocatorClaim::given)
      return places.takeError();
    if (!places) {
      problems.push_back(toString(places.takeError()));
      continue;
    }
    problems.insert(problems.end(), places->problems.begin(), places->problems.end());
    if (places->functions.empty()) {
      // An empty source map is common and means that there are no lines. A section that is called
      // like debug information may be something else.
      if (places->problems.empty() && candidate.claim >= LocatorClaim::named)
        problems.push_back(
            "the debug information (" + candidate.name.str() + ") describes no function" +
            (candidate.claim == LocatorClaim::held ? ": linking with -O loses what it describes"
                                                   : ""));
      if (candidate.claim == LocatorClaim::given)
        break;
      continue;
    }
    places->origin = candidate.name.str();
    places->problems = std::move(problems);
    return places;
  }
  ModulePlaces none;
  none.problems = std::move(problems);
  return none;
}
