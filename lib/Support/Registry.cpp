//===- Registry.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Registry.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {
// A function-local static, as probes are constructed before main, in unspecified order.
std::vector<size_t (*)()> &probes() {
  static std::vector<size_t (*)()> all;
  return all;
}
} // namespace

warpo::detail::RegistryProbe::RegistryProbe(size_t (*size)()) { probes().push_back(size); }

size_t warpo::countRegistrations() {
  size_t count = 0;
  for (auto size : probes())
    count += size();
  return count;
}

Error warpo::detail::sortEntries(StringRef kind, std::vector<RegistryEntryInfo> &entries) {
  llvm::sort(entries, [](const auto &a, const auto &b) { return a.name < b.name; });
  for (size_t i = 1; i < entries.size(); ++i)
    if (entries[i - 1].name == entries[i].name)
      return makeError("two " + kind + "s are registered as '" + entries[i].name + "'");
  return Error::success();
}

Error warpo::detail::unknownEntry(StringRef kind, StringRef name,
                                  ArrayRef<RegistryEntryInfo> known) {
  std::string names;
  for (const RegistryEntryInfo &entry : known) {
    if (!names.empty())
      names += ", ";
    names += entry.name;
  }
  return makeError("unknown " + kind + " '" + name + "' (known: " + names + ")");
}

void warpo::detail::printEntries(ArrayRef<RegistryEntryInfo> entries, raw_ostream &os) {
  for (const RegistryEntryInfo &entry : entries)
    os << entry.name << " - " << entry.description << '\n';
}
