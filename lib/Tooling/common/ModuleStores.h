//===- ModuleStores.h - Where modules leave events and counters -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_MODULESTORES_H
#define WARPO_TOOLING_MODULESTORES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// The engine in which warpo-run runs modules with this value of its option `--engine`: not `auto`.
llvm::StringRef chosenEngine(llvm::StringRef engine);

inline bool runsInNode(llvm::StringRef engine) { return chosenEngine(engine) == "node"; }

/// The options of warpo-instrument with which an engine takes a module's events fastest.
llvm::Expected<std::vector<std::string>> eventStoreOptions(llvm::StringRef engine);

/// The options with which an engine takes any number of counters.
llvm::Expected<std::vector<std::string>> counterStoreOptions(llvm::StringRef engine);

} // namespace warpo

#endif
