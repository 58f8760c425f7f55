//===- BeneathPath.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BeneathPath.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

/// The limit of Linux for one path.
static constexpr int mostLinks = 40;
/// The kernel returns EAGAIN if a folder that may be on the path was renamed meanwhile.
static constexpr int mostTries = 1000;

/// Opens a folder to look up names in it.
static OwnedDescriptor openBeneath(int folder, const std::string &path) {
  open_how how = {};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  for (int tries = 0; fd < 0 && tries < mostTries; ++tries) {
    fd = syscall(SYS_openat2, folder, path.c_str(), &how, sizeof(how));
    if (fd < 0 && errno != EAGAIN && errno != EINTR)
      break;
  }
  return OwnedDescriptor(int(fd));
}

bool warpo::wasi::canResolveBeneath(int folder) { return bool(openBeneath(folder, ".")); }

/// The kernel returns EXDEV for a path that leads out.
static Errno errnoOfResolving(int error) { return error == EXDEV ? notCapable : errnoOf(error); }

static bool isAbsolute(StringRef path) { return path.starts_with("/"); }

/// Returns false if there is no link of this name; opening it will give the error.
static bool readLink(int parent, const std::string &name, std::string &target) {
  char text[PATH_MAX];
  ssize_t size = readlinkat(parent, name.c_str(), text, sizeof(text));
  if (size < 0)
    return false;
  target.assign(text, size_t(size));
  return true;
}

/// Resolves all but the last name of a path.
static Errno resolveParent(int folder, StringRef path, Place &place) {
  if (path.size() >= PATH_MAX)
    return nameTooLong;
  if (isAbsolute(path))
    return notCapable;
  StringRef names = path.rtrim('/');
  place.hasSlash = names.size() < path.size();
  size_t slash = names.rfind('/');
  place.name = names.substr(slash == StringRef::npos ? 0 : slash + 1).str();
  bool isUp = place.name == "..";
  std::string parent = (isUp ? names : names.substr(0, slash == StringRef::npos ? 0 : slash)).str();
  if (isUp)
    place.name = ".";
  place.owner.reset();
  place.parent = folder;
  if (parent.empty())
    return success;
  place.owner = openBeneath(folder, parent);
  place.parent = place.owner.get();
  return place.owner ? success : errnoOfResolving(errno);
}

Errno warpo::wasi::resolveBeneath(int folder, StringRef path, LastLink lastLink, Place &place) {
  if (path.empty() || path.contains('\0'))
    return invalid;
  std::string rest = path.str();
  for (int links = 0; links <= mostLinks; ++links) {
    if (Errno error = resolveParent(folder, rest, place))
      return error;
    bool follows =
        lastLink == LastLink::follow || (lastLink == LastLink::followBeforeSlash && place.hasSlash);
    std::string target;
    if (!follows || place.isParent() || !readLink(place.parent, place.name, target))
      return success;
    if (isAbsolute(target))
      return notCapable;
    // Resolve everything again from the folder, as the target may lead up from the link's folder.
    StringRef names = StringRef(rest).rtrim('/');
    rest = (names.drop_back(place.name.size()) + target + (place.hasSlash ? "/" : "")).str();
  }
  return loop;
}

/// The number of levels from `root` down to `folder`; nothing if `folder` is not within `root`.
static std::optional<size_t> depthBeneath(int folder, const FileId &root) {
  OwnedDescriptor up;
  for (size_t depth = 0;; ++depth) {
    struct stat status, above;
    if (fstat(folder, &status) != 0)
      return std::nullopt;
    if (idOf(status) == root)
      return depth;
    up = OwnedDescriptor(openat(folder, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!up || fstat(up.get(), &above) != 0 || idOf(above) == idOf(status))
      return std::nullopt;
    folder = up.get();
  }
}

Errno warpo::wasi::checkLinkTarget(int parent, const FileId &root, StringRef target) {
  if (isAbsolute(target))
    return notPermitted;
  size_t ups = 0;
  bool isBehindName = false;
  SmallVector<StringRef> names;
  target.split(names, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    if (name == "..") {
      if (isBehindName)
        return notCapable;
      ++ups;
    } else if (name != ".") {
      isBehindName = true;
    }
  }
  if (ups == 0)
    return success;
  auto depth = depthBeneath(parent, root);
  return depth && ups <= *depth ? success : notCapable;
}
