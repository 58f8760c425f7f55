//===- NativeCache.h - The folder of compiled modules ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Its files are loaded and executed, so no other user may have write access.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVECACHE_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVECACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

class NativeCache {
public:
  /// Opens `$XDG_CACHE_HOME/warpo` or `~/.cache/warpo`, which is created if missing. Fails if it
  /// belongs to another user or if others have access to it.
  static llvm::Expected<NativeCache> open();

  llvm::StringRef folder() const { return folder_; }
  /// The path for the compiled module with this key.
  std::string pathOf(llvm::StringRef key) const;
  /// The path for its CodeTables.
  std::string tablesOf(llvm::StringRef key) const;
  /// Removes files that have not been used for a long time, and remains of interrupted builds.
  void prune() const;

private:
  explicit NativeCache(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

/// A temporary folder in the cache for building one module; removed at the end with its contents.
class BuildFolder {
public:
  static llvm::Expected<BuildFolder> create(const NativeCache &cache);
  BuildFolder(BuildFolder &&other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  BuildFolder &operator=(BuildFolder &&) = delete;
  ~BuildFolder();

  /// The path of a file in it.
  std::string file(llvm::StringRef name) const { return path_ + "/" + name.str(); }

private:
  explicit BuildFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

} // namespace warpo

#endif
