//===- MappingCheck.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "MappingCheck.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using namespace warpo;

void MappingCheck::add(const RecordBatch &batch) {
  if (hasKnown_)
    return;
  FunctionIds &ids = functions_.idsOf(batch.stream, header_.streams[batch.stream]);
  for (int32_t id : batch.ids) {
    int32_t function = std::abs(id);
    if (isSection(function) || isReserved(function))
      continue;
    hasKnown_ = functions_[ids.find(function)].known;
    if (hasKnown_)
      return;
    unknown_ = function;
  }
}

static std::string hexadecimal(uint64_t id) { return "0x" + utohexstr(id, /*LowerCase=*/true, 16); }

// A recorder that does not know a module records an arbitrary id for it.
Error MappingCheck::checkModule(StringRef mapping, StringRef record) const {
  std::optional<uint64_t> mapped = functions_.mappedModule();
  if (!mapped)
    return Error::success();
  std::set<uint64_t> recorded;
  for (const StreamInfo &stream : header_.streams)
    for (uint64_t id : stream.moduleIds())
      recorded.insert(id);
  for (const RecordedModule &module : header_.modules) {
    bool isKnown = module.hash.size() >= sizeof(uint64_t);
    if (module.id == *mapped || !isKnown)
      return Error::success();
    recorded.erase(module.id);
    recorded.insert(support::endian::read64le(module.hash.data()));
  }
  if (recorded.empty() || recorded.count(*mapped) != 0)
    return Error::success();
  return fileError(mapping, "names functions of module " + hexadecimal(*mapped) + ", and " +
                                record + " is of module " + hexadecimal(*recorded.begin()) +
                                (recorded.size() == 1 ? Twine() : Twine(" and others")));
}

Error MappingCheck::finish(StringRef mapping, StringRef record) const {
  if (Error error = checkModule(mapping, record))
    return error;
  int32_t unknown = unknown_;
  // The first stack has no frame.
  for (const ResolvedStack &stack :
       functions_.stacks().drop_front(functions_.stacks().empty() ? 0 : 1)) {
    const Function &function = functions_[stack.function];
    if (hasKnown_ || (function.known && !function.isTextFrame))
      return Error::success();
    if (!function.isTextFrame)
      unknown = function.id;
  }
  if (unknown == 0 || hasKnown_)
    return Error::success();
  return fileError(mapping, "has none of the function ids of " + record + ", as " + Twine(unknown) +
                                " of module " + hexadecimal(header_.streams.front().moduleId) +
                                ": it is the mapping of another module");
}
