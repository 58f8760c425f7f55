//===- NativeCache.cpp ----------------------------------------------------===//

#include "NativeCache.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static std::error_code lastError() { return std::error_code(errno, std::generic_category()); }

static constexpr StringLiteral buildPrefix = "build-";

/// `wanted` and what is missing of the folders above it.
static Error makeFolder(StringRef wanted) {
  if (std::error_code code =
          sys::fs::create_directories(wanted, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return fileError(wanted, code);
  return Error::success();
}

Expected<NativeCache> NativeCache::open() {
  SmallString<128> folder;
  // Relative ones are to be ignored, by XDG's specification.
  if (const char *own = std::getenv("XDG_CACHE_HOME"); own && sys::path::is_absolute(own))
    folder = own;
  else if (sys::path::home_directory(folder) && sys::path::is_absolute(folder))
    sys::path::append(folder, ".cache");
  else
    return makeError("engine native needs a folder for compiled modules: set XDG_CACHE_HOME");
  sys::path::append(folder, "warpo");
  if (Error error = makeFolder(folder))
    return error;

  // A link could be made to lead elsewhere later.
  struct stat status;
  if (lstat(folder.c_str(), &status) != 0)
    return fileError(folder, lastError());
  if (!S_ISDIR(status.st_mode))
    return fileError(folder, "the folder for compiled modules is none, or a link");
  if (status.st_uid != geteuid())
    return fileError(folder, "the folder for compiled modules belongs to another user; give one "
                             "of your own by XDG_CACHE_HOME");
  if (status.st_mode & 077) {
    std::string mode;
    raw_string_ostream(mode) << format("%04o", status.st_mode & 07777);
    return fileError(folder, "the folder for compiled modules is open to others (mode " + mode +
                                 "); see whether its contents are yours, and chmod 700");
  }
  return NativeCache(folder.str().str());
}

// The prefix is that of the files that LLVM's pruneCache() looks at.
std::string NativeCache::pathOf(StringRef key) const {
  return folder_ + "/llvmcache-" + key.str() + ".so";
}

void NativeCache::prune() const {
  CachePruningPolicy policy;
  policy.Expiration = std::chrono::hours(30 * 24);
  policy.MaxSizeBytes = uint64_t(1) << 30;
  pruneCache(folder_, policy);

  // No build takes a day.
  auto old = std::chrono::system_clock::now() - std::chrono::hours(24);
  std::error_code code;
  for (sys::fs::directory_iterator at(folder_, code), end; !code && at != end; at.increment(code)) {
    sys::fs::file_status status;
    if (sys::path::filename(at->path()).starts_with(buildPrefix) &&
        !sys::fs::status(at->path(), status, /*follow=*/false) &&
        status.type() == sys::fs::file_type::directory_file &&
        status.getLastModificationTime() < old)
      sys::fs::remove_directories(at->path());
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
