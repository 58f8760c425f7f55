//===- ResolvedPath.cpp ---------------------------------------------------===//

#include "warpo/Support/ResolvedPath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

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
