//===- Registry.h - Open sets of formats, slicers, backends, engines ------===//
// SPDX-License-Identifier: Apache-2.0
//
// An open set of things of one kind, on top of llvm::Registry. The interface class of a kind, `T`,
// names the kind in `static constexpr llvm::StringLiteral kind` ("record format"); each member
// derives from `T` and registers itself in its own .cpp:
//
//   static warpo::Registry<RecordFormat>::Add<WarpFormat> registration("warp", "WARP's binary
//   record");
//
// One .cpp of the library that declares `T` holds WARPO_INSTANTIATE_REGISTRY(T). A library with
// registrations is declared with REGISTERS in its CMakeLists.txt, since nothing refers to them by
// name.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_REGISTRY_H
#define WARPO_SUPPORT_REGISTRY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <vector>

namespace warpo {

/// What a registry knows of a member without creating it.
struct RegistryEntryInfo {
  llvm::StringRef name;
  llvm::StringRef description;
};

namespace detail {
/// Sorts by name; fails if two members have the same name.
llvm::Error sortEntries(llvm::StringRef kind, std::vector<RegistryEntryInfo> &entries);
llvm::Error unknownEntry(llvm::StringRef kind, llvm::StringRef name,
                         llvm::ArrayRef<RegistryEntryInfo> known);
void printEntries(llvm::ArrayRef<RegistryEntryInfo> entries, llvm::raw_ostream &os);

/// Adds the size of a registry to countRegistrations(). Lives as long as the program.
class RegistryProbe {
public:
  explicit RegistryProbe(size_t (*size)());
};
} // namespace detail

/// The number of members of all registries; the plugin loader compares it before and after loading.
size_t countRegistrations();

template <typename T> class Registry {
  using Storage = llvm::Registry<T>;

public:
  template <typename V> using Add = typename Storage::template Add<V>;

  static size_t size() {
    size_t count = 0;
    for (const auto &entry : Storage::entries()) {
      (void)entry;
      ++count;
    }
    return count;
  }

  /// All members, sorted by name. Fails if two plugins use the same name.
  static llvm::Expected<std::vector<RegistryEntryInfo>> entries() {
    std::vector<RegistryEntryInfo> result;
    for (const auto &entry : Storage::entries())
      result.push_back({entry.getName(), entry.getDesc()});
    if (llvm::Error error = detail::sortEntries(T::kind, result))
      return error;
    return result;
  }

  /// Creates the member called `name`; the error for an unknown name lists the known ones.
  static llvm::Expected<std::unique_ptr<T>> create(llvm::StringRef name) {
    auto known = entries();
    if (!known)
      return known.takeError();
    for (const auto &entry : Storage::entries())
      if (entry.getName() == name)
        return entry.instantiate();
    return detail::unknownEntry(T::kind, name, *known);
  }

  /// Prints a line `name - description` for each, sorted, for --list-….
  static llvm::Error print(llvm::raw_ostream &os) {
    auto known = entries();
    if (!known)
      return known.takeError();
    detail::printEntries(*known, os);
    return llvm::Error::success();
  }
};

} // namespace warpo

#define WARPO_INSTANTIATE_REGISTRY(T)                                                              \
  LLVM_INSTANTIATE_REGISTRY(llvm::Registry<T>)                                                     \
  static warpo::detail::RegistryProbe registryProbe(&warpo::Registry<T>::size);

#endif
