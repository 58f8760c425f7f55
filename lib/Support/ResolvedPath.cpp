//===- ResolvedPath.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ResolvedPath.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

std::string warpo::resolvedPath(StringRef path) {
  SmallString<128> result;
  if (!sys::fs::real_path(path.empty() ? "." : path, result))
    return result.str().str();
  SmallString<128> absolute(path);
  sys::fs::make_absolute(absolute);
  if (sys::fs::real_path(sys::path::parent_path(absolute), result)) {
    sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
    return absolute.str().str();
  }
  sys::path::append(result, sys::path::filename(absolute));
  return result.str().str();
}

std::string warpo::relativePath(StringRef file, StringRef folder) {
  std::string to = resolvedPath(file), from = resolvedPath(folder);
  auto toPart = sys::path::begin(to), toEnd = sys::path::end(to);
  auto fromPart = sys::path::begin(from), fromEnd = sys::path::end(from);
  while (toPart != toEnd && fromPart != fromEnd && *toPart == *fromPart) {
    ++toPart;
    ++fromPart;
  }
  SmallString<128> result;
  for (; fromPart != fromEnd; ++fromPart)
    sys::path::append(result, "..");
  for (; toPart != toEnd; ++toPart)
    sys::path::append(result, *toPart);
  return result.str().str();
}

Expected<std::string> warpo::followLinks(StringRef path) {
  // The limit of Linux.
  constexpr unsigned maxLinks = 40;
  SmallString<128> target(path);
  for (unsigned links = 0; sys::fs::is_symlink_file(target); ++links) {
    char text[PATH_MAX];
    ssize_t length = readlink(target.c_str(), text, sizeof(text));
    if (length < 0)
      return fileError(path, std::error_code(errno, std::generic_category()));
    if (links == maxLinks)
      return fileError(path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
    StringRef next(text, size_t(length));
    if (sys::path::is_absolute(next)) {
      target = next;
    } else {
      sys::path::remove_filename(target);
      sys::path::append(target, next);
    }
  }
  return target.str().str();
}
