//===- TableFolder.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TableFolder.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/PercentEncoding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace llvm;
using namespace warpo;

/// Escapes any text to a single name in a path.
static std::string nameOf(StringRef text) { return percentEncoded(displayName(text), "-_.,+@"); }

static std::string dateOf(uint64_t nanoseconds) {
  using namespace std::chrono;
  year_month_day date(floor<days>(sys_time<seconds>(seconds(nanoseconds / 1'000'000'000))));
  return formatv("{0}-{1,0+2}-{2,0+2}", int(date.year()), unsigned(date.month()),
                 unsigned(date.day()));
}

/// The name that readers treat as null.
static constexpr StringRef unknown = "__HIVE_DEFAULT_PARTITION__";

Expected<OutputPlace> warpo::placeInFolder(StringRef folder, StringRef title, StringRef extension,
                                           OutputOrigin &origin) {
  SmallString<128> path(folder);
  auto takeLabel = [&](StringRef key) {
    auto label = find_if(origin.labels, [&](const OutputLabel &each) { return each.key == key; });
    if (label == origin.labels.end())
      return unknown.str();
    std::string name = nameOf(label->value);
    origin.labels.erase(label);
    return name;
  };
  // Readers require the same levels in each path.
  sys::path::append(path, "service=" + takeLabel("service"));
  sys::path::append(path, "date=" + (origin.window ? dateOf(origin.window->begin) : unknown.str()));
  sys::path::append(path, "host=" + takeLabel("host"));
  for (const OutputLabel &label : origin.labels)
    for (StringRef level : {"service", "date", "host"})
      if (level.equals_insensitive(label.key))
        return makeError("--label=" + label.key + "=…: a folder of tables has the column " + level +
                         " already");
  // Records of the same name with different begins are different files.
  std::string name = nameOf(title);
  if (origin.window)
    name += "-" + std::to_string(origin.window->begin);
  sys::path::append(path, name + extension);
  if (!origin.window && sys::fs::exists(path))
    return makeError(path +
                     ": exists, and may be of another time, as the input does not say when it "
                     "was recorded: remove it, or give another --title");
  return OutputPlace{std::string(path), /*isNew=*/!origin.window};
}

NewFolders::~NewFolders() {
  // Does not remove folders with contents.
  for (const std::string &folder : reverse(made_))
    sys::fs::remove(folder);
}

Error NewFolders::make(StringRef folder) {
  SmallVector<StringRef> missing;
  for (StringRef at = folder; !at.empty() && !sys::fs::exists(at); at = sys::path::parent_path(at))
    missing.push_back(at);
  for (StringRef each : reverse(missing)) {
    std::error_code error = sys::fs::create_directory(each, /*IgnoreExisting=*/false);
    // Created by another process meanwhile.
    if (error == std::errc::file_exists && sys::fs::is_directory(each))
      continue;
    if (error)
      return fileError(each, error);
    made_.push_back(each.str());
  }
  return Error::success();
}
