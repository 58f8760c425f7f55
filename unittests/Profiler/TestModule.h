// SPDX-License-Identifier: Apache-2.0
// Modules as the profiler needs them.
#ifndef WARPO_UNITTESTS_PROFILER_TESTMODULE_H
#define WARPO_UNITTESTS_PROFILER_TESTMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

/// A module that imports these functions of `builtin`, and has nothing else.
inline std::vector<uint8_t> moduleImporting(llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<uint8_t> bytes = {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0};
  std::vector<uint8_t> imports = {uint8_t(names.size())};
  for (llvm::StringRef name : names)
    for (llvm::StringRef text : {llvm::StringRef("builtin"), name}) {
      imports.push_back(uint8_t(text.size()));
      imports.insert(imports.end(), text.begin(), text.end());
      if (text == name)
        imports.insert(imports.end(), {0, 0});
    }
  bytes.push_back(2);
  bytes.push_back(uint8_t(imports.size()));
  bytes.insert(bytes.end(), imports.begin(), imports.end());
  return bytes;
}

/// The same of a module whose samples are due by time: it has the point, and counts nothing.
inline std::vector<uint8_t> timedModule(llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<uint8_t> bytes = moduleImporting(names);
  const uint8_t global[] = {6, 6, 1, 0x7e, 1, 0x42, 0, 0x0b};
  bytes.insert(bytes.end(), std::begin(global), std::end(global));
  constexpr llvm::StringLiteral due = "__warpo_sample_due";
  bytes.insert(bytes.end(), {7, uint8_t(due.size() + 4), 1, uint8_t(due.size())});
  bytes.insert(bytes.end(), due.begin(), due.end());
  bytes.insert(bytes.end(), {3, 0});
  return bytes;
}

#endif
