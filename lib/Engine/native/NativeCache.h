//===- NativeCache.h - The folder of compiled modules ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Its files are loaded and run: no other user may be able to write to it.
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
  /// `$XDG_CACHE_HOME/warpo`, or `~/.cache/warpo`; made if it is not there. An error if it belongs
  /// to somebody else or others have access to it.
  static llvm::Expected<NativeCache> open();

  llvm::StringRef folder() const { return folder_; }
  /// Where the compiled module of this key lies, or will lie.
  std::string pathOf(llvm::StringRef key) const;
  /// The same of its CodeTables.
  std::string tablesOf(llvm::StringRef key) const;
  /// Removes what has not been used for long, and what builds that were ended have left.
  void prune() const;

private:
  explicit NativeCache(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

/// A folder in the cache for the making of one module, with all that is in it removed at the end.
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
