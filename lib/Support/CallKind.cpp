//===- CallKind.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/CallKind.h"
#include "warpo/Support/EstimatedFrame.h"

using namespace llvm;
using namespace warpo;

StringRef warpo::suffixOf(CallKind kind) {
  static constexpr StringLiteral suffixes[] = {"", " [reference]", " [host]", " [inlined]"};
  return suffixes[size_t(kind)];
}

std::pair<StringRef, StringRef> warpo::splitCallKind(StringRef name) {
  if (name.ends_with(estimatedFrameSuffix))
    return {name.drop_back(estimatedFrameSuffix.size()),
            name.take_back(estimatedFrameSuffix.size())};
  for (CallKind kind : {CallKind::reference, CallKind::host, CallKind::inlined})
    if (StringRef suffix = suffixOf(kind); name.ends_with(suffix))
      return {name.drop_back(suffix.size()), name.take_back(suffix.size())};
  return {name, ""};
}
