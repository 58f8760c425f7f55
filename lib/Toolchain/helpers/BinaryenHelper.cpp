//===- BinaryenHelper.cpp - The program warpo-binaryen --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of Binaryen's C interface that we use. Helper.h says how this program is called.
//
//   optimize <speed> <size>   the module optimised, with its names
//   validate                  no result
//   print                     a binary module to text
//   assemble                  text to a binary module, with its names, after validation
//
// The exit code is 2 for a module that could be read, but is invalid. For one that cannot be read,
// the library prints the reason and ends the process.
//
//===----------------------------------------------------------------------===//

#include "HelperMain.h"

#include <binaryen-c.h>
#include <cstring>
#include <fcntl.h>

using warpo::helperDone;
using warpo::helperFailed;

namespace {

// A thread for each core, each with a stack.
constexpr size_t memory = size_t(2) << 30;

/// Discards standard error during its lifetime.
class Silence {
public:
  Silence() : saved_(dup(STDERR_FILENO)) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    close(null);
  }
  ~Silence() {
    fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }

private:
  int saved_;
};

bool isValidWith(BinaryenModuleRef module, BinaryenFeatures features) {
  Silence silence;
  BinaryenModuleSetFeatures(module, features);
  return BinaryenModuleValidate(module);
}

// The optimiser may use enabled features, so enables as few as possible: those in the module's
// section target_features, otherwise those that all engines have, otherwise all that the library
// knows. If the module has all of them, it was read that way and has no section.
void chooseFeatures(BinaryenModuleRef module) {
  BinaryenFeatures everywhere = BinaryenFeatureMutableGlobals() | BinaryenFeatureSignExt() |
                                BinaryenFeatureNontrappingFPToInt() | BinaryenFeatureBulkMemory() |
                                BinaryenFeatureReferenceTypes() | BinaryenFeatureMultivalue() |
                                BinaryenFeatureSIMD128();
  BinaryenFeatures own = BinaryenModuleGetFeatures(module);
  if (own != BinaryenFeatureAll() && isValidWith(module, own))
    return;
  if (isValidWith(module, everywhere))
    return;
  BinaryenModuleSetFeatures(module, BinaryenFeatureAll());
  // Prints the messages of this validation.
  if (!BinaryenModuleValidate(module))
    _exit(2);
}

BinaryenModuleRef readModule() {
  std::string bytes = warpo::helperInput(memory);
#ifdef WARPO_BINARYEN_READS_WITH_FEATURES
  return BinaryenModuleReadWithFeatures(bytes.data(), bytes.size(), BinaryenFeatureAll());
#else
  return BinaryenModuleRead(bytes.data(), bytes.size());
#endif
}

[[noreturn]] void writeBinary(BinaryenModuleRef module) {
  BinaryenSetDebugInfo(true); // names are debug information
  BinaryenModuleAllocateAndWriteResult result = BinaryenModuleAllocateAndWrite(module, nullptr);
  helperDone(static_cast<const char *>(result.binary), result.binaryBytes);
}

[[noreturn]] void optimize(int speed, int size) {
  BinaryenModuleRef module = readModule();
  chooseFeatures(module);
  BinaryenSetDebugInfo(true);
  BinaryenSetOptimizeLevel(speed);
  BinaryenSetShrinkLevel(size);
  if (speed > 0)
    BinaryenModuleOptimize(module);
  writeBinary(module);
}

[[noreturn]] void assemble() {
  BinaryenModuleRef module = BinaryenModuleParse(warpo::helperInput(memory).c_str());
  chooseFeatures(module);
  writeBinary(module);
}

[[noreturn]] void print() {
  const char *text = BinaryenModuleAllocateAndWriteText(readModule());
  helperDone(text, strlen(text));
}

[[noreturn]] void validate() {
  chooseFeatures(readModule());
  helperDone("");
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc >= 2 ? argv[1] : "";
  if (command == "optimize" && argc == 4)
    optimize(atoi(argv[2]), atoi(argv[3]));
  if (command == "validate" && argc == 2)
    validate();
  if (command == "print" && argc == 2)
    print();
  if (command == "assemble" && argc == 2)
    assemble();
  helperFailed("usage: warpo-binaryen optimize <speed> <size> | validate | print | assemble");
}
