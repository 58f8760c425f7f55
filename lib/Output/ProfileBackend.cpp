//===- ProfileBackend.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::ProfileBackend)

warpo::ProfileBackend::~ProfileBackend() = default;

Error warpo::ProfileBackend::writeWindows(NextWindow, raw_ostream &) {
  return makeError("windows of time have no place in it");
}

Error warpo::ProfileBackend::setOption(StringRef name, StringRef) {
  return makeError("has no option '" + name + "'");
}
