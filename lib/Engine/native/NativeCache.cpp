//===- NativeCache.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeCache.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace warpo;

static std::error_code lastError() { return std::error_code(errno, std::generic_category()); }

static constexpr StringLiteral buildPrefix = "build-";

/// Creates a folder and missing parents.
static Error makeFolder(StringRef wanted) {
  if (std::error_code code =
          sys::fs::create_directories(wanted, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return fileError(wanted, code);
  return Error::success();
}

Expected<NativeCache> NativeCache::open() {
  SmallString<128> folder;
  // By XDG's specification, relative paths are to be ignored.
  if (const char *own = std::getenv("XDG_CACHE_HOME"); own && sys::path::is_absolute(own))
    folder = own;
  else if (sys::path::home_directory(folder) && sys::path::is_absolute(folder))
    sys::path::append(folder, ".cache");
  else
    return makeError("engine native needs a folder for compiled modules: set XDG_CACHE_HOME");
  sys::path::append(folder, "warpo");
  if (Error error = makeFolder(folder))
    return error;

  // A link could be redirected later.
  struct stat status;
  if (lstat(folder.c_str(), &status) != 0)
    return fileError(folder, lastError());
  if (!S_ISDIR(status.st_mode))
    return fileError(folder, "the folder for compiled modules is not a folder, or is a link");
  if (status.st_uid != geteuid())
    return fileError(folder, "the folder for compiled modules belongs to another user; set "
                             "XDG_CACHE_HOME to one of your own");
  if (status.st_mode & 077) {
    std::string mode;
    raw_string_ostream(mode) << format("%04o", status.st_mode & 07777);
    return fileError(folder, "the folder for compiled modules is open to others (mode " + mode +
                                 "); see whether its contents are yours, and chmod 700");
  }
  return NativeCache(folder.str().str());
}

std::string NativeCache::pathOf(StringRef key) const {
  return folder_ + "/module-" + key.str() + ".so";
}

std::string NativeCache::tablesOf(StringRef key) const {
  return folder_ + "/module-" + key.str() + ".tables";
}

// LLVM's pruneCache() would end the process if its time stamp cannot be closed.
void NativeCache::prune() const {
  constexpr auto longestUnused = std::chrono::hours(30 * 24);
  constexpr uint64_t mostBytes = uint64_t(1) << 30;
  // No build takes a day.
  constexpr auto longestBuild = std::chrono::hours(24);

  const auto now = std::chrono::system_clock::now();
  std::vector<std::tuple<sys::TimePoint<>, std::string, uint64_t>> files;
  std::error_code code;
  for (sys::fs::directory_iterator at(folder_, code), end; !code && at != end; at.increment(code)) {
    sys::fs::file_status status;
    if (sys::fs::status(at->path(), status, /*follow=*/false))
      continue;
    if (status.type() == sys::fs::file_type::regular_file)
      files.emplace_back(status.getLastAccessedTime(), at->path(), status.getSize());
    else if (status.type() == sys::fs::file_type::directory_file &&
             sys::path::filename(at->path()).starts_with(buildPrefix) &&
             status.getLastModificationTime() < now - longestBuild)
      sys::fs::remove_directories(at->path());
  }
  // Keeps the most recently used files.
  llvm::sort(files, std::greater<>());
  uint64_t kept = 0;
  for (const auto &[lastUse, path, size] : files) {
    kept += size;
    if (lastUse < now - longestUnused || kept > mostBytes)
      sys::fs::remove(path);
  }
}

Expected<BuildFolder> BuildFolder::create(const NativeCache &cache) {
  std::string path = (cache.folder() + "/" + buildPrefix + "XXXXXX").str();
  if (!mkdtemp(path.data()))
    return fileError(cache.folder(), lastError());
  return BuildFolder(std::move(path));
}

BuildFolder::~BuildFolder() {
  if (!path_.empty())
    sys::fs::remove_directories(path_);
}
