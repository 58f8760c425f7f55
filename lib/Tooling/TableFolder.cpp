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

/// A part of a path that is one name, whatever is in the text.
static std::string nameOf(StringRef text) { return percentEncoded(displayName(text), "-_.,+@"); }

static std::string dateOf(uint64_t nanoseconds) {
  using namespace std::chrono;
  year_month_day date(floor<days>(sys_time<seconds>(seconds(nanoseconds / 1'000'000'000))));
  return formatv("{0}-{1,0+2}-{2,0+2}", int(date.year()), unsigned(date.month()),
                 unsigned(date.day()));
}

Expected<std::string> warpo::placeInFolder(StringRef folder, StringRef title, StringRef extension,
                                           OutputOrigin &origin) {
  SmallString<128> path(folder);
  auto addLabel = [&](StringRef key) {
    auto label = find_if(origin.labels, [&](const OutputLabel &each) { return each.key == key; });
    if (label == origin.labels.end())
      return;
    sys::path::append(path, key + "=" + nameOf(label->value));
    origin.labels.erase(label);
  };
  addLabel("service");
  if (origin.window)
    sys::path::append(path, "date=" + dateOf(origin.window->begin));
  addLabel("host");
  if (std::error_code error = sys::fs::create_directories(path))
    return fileError(path, error);
  // Records of one name that began at different times are different files.
  std::string name = nameOf(title);
  if (origin.window)
    name += "-" + std::to_string(origin.window->begin);
  sys::path::append(path, name + extension);
  return std::string(path);
}
