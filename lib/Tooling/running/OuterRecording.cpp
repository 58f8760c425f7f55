//===- OuterRecording.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OuterRecording.h"
#include "warpo/Support/ChildProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static constexpr const char *nodeOptions = "NODE_OPTIONS";

bool warpo::isWithinRecording() { return std::getenv("WARPO_RECORDER_SIGNALS") != nullptr; }

void warpo::keepOutOfRecording() {
  const char *options = std::getenv(nodeOptions);
  if (!options || !isWithinRecording())
    return;
  auto script = findInstalledFile("share/warpo/js/register.mjs");
  if (!script) {
    consumeError(script.takeError());
    return;
  }
  SmallVector<StringRef> words;
  StringRef(options).split(words, ' ');
  erase(words, "--import=file://" + *script);
  setenv(nodeOptions, join(words, " ").c_str(), 1);
}
