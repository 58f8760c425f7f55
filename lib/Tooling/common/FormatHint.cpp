//===- FormatHint.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FormatHint.h"
#include "warpo/Order/OrderFile.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

template <typename T> static bool has(StringRef name) {
  auto entries = warpo::Registry<T>::entries();
  if (entries)
    return any_of(*entries, [&](const RegistryEntryInfo &entry) { return entry.name == name; });
  consumeError(entries.takeError());
  return false;
}

Error warpo::nameToolsFor(StringRef format, Error error) {
  const std::pair<StringRef, bool (*)(StringRef)> tools[] = {
      {"warpo-flamegraph", has<ProfileBackend>},
      {"warpo_trace_visualizer", has<TimelineBackend>},
      {"warpo-report", has<TableFormat>},
      {"warpo-record-dump", has<RecordFormat>},
      {"warpo-order", has<OrderFile>}};
  std::string able;
  for (const auto &[tool, knows] : tools)
    if (knows(format))
      able.append(able.empty() ? "; written by " : ", ").append(tool);
  if (able.empty())
    return error;
  return makeError(toString(std::move(error)) + able);
}
