//===- CoverageFiles.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CoverageFiles.h"
#include "warpo/Report/Annotation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include <set>

using namespace llvm;
using namespace warpo;

namespace {

/// The files to leave out, and the number of all files.
struct LeftOut {
  std::set<std::string> paths;
  size_t all = 0;
};

} // namespace

static LeftOut choose(const SourceCounts &source,
                      function_ref<bool(const std::string &path)> isKept) {
  std::set<std::string> paths;
  for (const CountedFile &file : source.files)
    paths.insert(file.path);
  for (const DroppedFunction &function : source.dropped)
    paths.insert(function.path);
  LeftOut left{{}, paths.size()};
  for (const std::string &path : paths)
    if (!isKept(path))
      left.paths.insert(path);
  return left;
}

static void remove(SourceCounts &source, const std::set<std::string> &paths) {
  auto isOne = [&](const auto &each) { return paths.count(each.path) > 0; };
  erase_if(source.files, isOne);
  erase_if(source.dropped, isOne);
}

/// Removes files that do not exist here, unless none does. Returns a description of the removed
/// files.
static std::string removeMissing(SourceCounts &source, const std::optional<SourcePaths> &paths) {
  LeftOut left = choose(source, [&](const std::string &path) {
    return sys::fs::is_regular_file(path) || (paths && sys::fs::is_regular_file((*paths)(path)));
  });
  size_t count = left.paths.size();
  if (count == 0 || count == left.all)
    return "";
  remove(source, left.paths);
  const std::string &first = *left.paths.begin();
  return countOf(count, "file") + " whose source is not here, such as " +
         (paths ? (*paths)(first) : first);
}

void warpo::keepFilesHere(SourceCounts &source, const std::optional<SourcePaths> &paths) {
  if (std::string missing = removeMissing(source, paths); !missing.empty())
    note("--fail-below leaves out " + missing);
}

Error warpo::keepFiles(SourceCounts &source, ArrayRef<std::string> wanted,
                       const std::optional<SourcePaths> &paths) {
  if (wanted.empty()) {
    if (std::string missing = removeMissing(source, paths); !missing.empty())
      note("left out: " + missing + "; '*' behind the counts shows all");
    return Error::success();
  }
  std::vector<std::pair<GlobPattern, bool>> globs;
  for (const std::string &name : wanted) {
    auto glob = GlobPattern::create(name);
    if (!glob)
      return makeError("'" + name + "': " + toString(glob.takeError()));
    globs.emplace_back(std::move(*glob), false);
  }
  LeftOut left = choose(source, [&](const std::string &path) {
    std::string shown = paths ? (*paths)(path) : path;
    bool isKept = false;
    for (auto [name, glob] : zip_equal(wanted, globs)) {
      bool isIt = isCalled(shown, name) || glob.first.match(shown);
      glob.second |= isIt;
      isKept |= isIt;
    }
    return isKept;
  });
  for (auto [name, glob] : zip_equal(wanted, globs))
    if (!glob.second)
      return makeError("no file of counts and no source file is called '" + name + "'");
  remove(source, left.paths);
  return Error::success();
}
