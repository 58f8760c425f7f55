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

Expected<std::string> warpo::recordingOption() {
  auto script = findInstalledFile("share/warpo/js/register.mjs");
  if (!script)
    return script.takeError();
  return "--import=file://" + *script;
}

bool warpo::isWithinRecording() { return std::getenv("WARPO_RECORDER_SIGNALS") != nullptr; }

void warpo::keepOutOfRecording() {
  const char *options = std::getenv(nodeOptions);
  if (!options || !isWithinRecording())
    return;
  auto option = recordingOption();
  if (!option) {
    consumeError(option.takeError());
    return;
  }
  SmallVector<StringRef> words;
  StringRef(options).split(words, ' ');
  erase(words, *option);
  setenv(nodeOptions, join(words, " ").c_str(), 1);
}
