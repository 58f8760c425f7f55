//===- PhaseInput.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhaseInput.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<HostPhases> warpo::readHostPhases(RecordInput &input) {
  auto refuse = [&](const Twine &reason) {
    return fileError(input.name(), "--phases=roots: " + reason);
  };
  auto ahead = input.reader().declareAhead();
  if (!ahead)
    return ahead.takeError();
  if (!*ahead)
    return refuse("phases are stored at the end of a record, which has to be a file");
  auto phases = HostPhases::create(input.reader().header());
  return phases ? std::move(phases) : refuse(toString(phases.takeError()));
}
