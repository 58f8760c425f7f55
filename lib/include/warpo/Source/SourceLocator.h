//===- SourceLocator.h - Finds out where a module's code comes from -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A locator reads one kind of debug information. It registers itself in a .cpp of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SOURCE_SOURCELOCATOR_H
#define WARPO_SOURCE_SOURCELOCATOR_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Support/Registry.h"
#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo {

/// What is to be located, and what the user says of it.
struct LocatorInput {
  const wasm::Module &module;
  /// A path, or `-`.
  llvm::StringRef moduleFile;
  /// Files that the user names; empty: as the module says.
  llvm::StringRef debugFile;
  llvm::StringRef sourceMap;
};

/// Where several locators could read something, the one that claims more does.
enum class LocatorClaim : uint8_t {
  none,
  /// The module names a file with lines alone.
  namedLines,
  /// A file beside the module is called so.
  beside,
  /// The module names a file.
  named,
  /// The module holds it.
  held,
  /// The user names a file.
  given,
};

class SourceLocator {
public:
  static constexpr llvm::StringLiteral kind = "source locator";

  virtual ~SourceLocator() = default;

  /// Looks at the module's sections, the options and the names of files only.
  virtual LocatorClaim claim(const LocatorInput &input) const = 0;

  /// Reads all of it; asked only where there is a claim. What cannot be read while the rest can
  /// becomes a problem of the places.
  virtual llvm::Expected<ModulePlaces> read(const LocatorInput &input) const = 0;
};

/// Whether any locator claims the module.
bool canLocate(const LocatorInput &input);

/// The places of a module by the locator that claims most; nothing if none does, or if there are
/// none. Where that one fails, and the user has not named its file, the next one is asked, and the
/// failure is a problem of the places.
llvm::Expected<ModulePlaces> locateModule(const LocatorInput &input);

} // namespace warpo

#endif
