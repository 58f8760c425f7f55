//===- CopiedFolders.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CopiedFolders.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <filesystem>

using namespace llvm;
using namespace warpo;
namespace fs = std::filesystem;

// Calls `visit` with each entry below a folder and the entry's type, until it fails.
template <typename Visit> static Error forEachEntry(const fs::path &folder, Visit visit) {
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    fs::file_type type = entry->symlink_status(code).type();
    if (code)
      return fileError(entry->path().string(), code);
    if (Error error = visit(entry->path(), type))
      return error;
  }
  return code ? fileError(folder.string(), code) : Error::success();
}

static std::error_code copyEntry(const fs::path &from, fs::file_type type, const fs::path &to) {
  std::error_code code;
  if (type == fs::file_type::symlink)
    fs::copy_symlink(from, to, code);
  else if (type == fs::file_type::directory)
    // With default permissions, so that copies of read-only folders can be filled and removed.
    fs::create_directory(to, code);
  else if (type == fs::file_type::regular)
    fs::copy_file(from, to, code);
  else
    code = std::make_error_code(std::errc::not_supported);
  return code;
}

static bool isIn(const fs::path &path, const fs::path &folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

CopiedFolders::~CopiedFolders() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Expected<std::string> CopiedFolders::add(StringRef directory) {
  auto [host, guest] = directory.split("::");
  std::error_code code;
  // Follows a link to the folder.
  fs::path original = fs::canonical(host.str(), code);
  if (code)
    return fileError(host, code);
  fs::path copy = fs::path(root_) / std::to_string(folders_.size());
  fs::create_directories(copy, code);
  fs::path made = code ? copy : fs::canonical(copy, code);
  if (code)
    return fileError(copy.string(), code);
  if (isIn(made, original))
    return fileError(host, "holds the temporary folder " + root_ +
                               ", so it cannot be copied there: set TMPDIR to a folder outside");
  Error error = forEachEntry(original, [&](const fs::path &path, fs::file_type type) {
    std::error_code failure = copyEntry(path, type, copy / path.lexically_relative(original));
    return failure ? fileError(path.string(), failure) : Error::success();
  });
  if (error)
    return error;
  folders_.emplace_back(copy.string(), (guest.empty() ? host : guest).str());
  return copy.string() + "::" + folders_.back().second;
}

static Expected<std::string> fingerprint(const fs::path &path, fs::file_type type) {
  if (type == fs::file_type::symlink) {
    std::error_code code;
    fs::path target = fs::read_symlink(path, code);
    if (code)
      return fileError(path.string(), code);
    return "link to " + target.string();
  }
  if (type != fs::file_type::regular)
    return "folder";
  auto file = MemoryBuffer::getFile(path.string(), /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!file)
    return fileError(path.string(), file.getError());
  return toHex(BLAKE3::hash(arrayRefFromStringRef((*file)->getBuffer())));
}

Error CopiedFolders::hash(std::map<std::string, std::string> &files) const {
  for (const auto &[copy, guest] : folders_) {
    Error error = forEachEntry(copy, [&](const fs::path &path, fs::file_type type) -> Error {
      auto print = fingerprint(path, type);
      if (!print)
        return print.takeError();
      files[guest + path.string().substr(copy.size())] = std::move(*print);
      return Error::success();
    });
    if (error)
      return error;
  }
  return Error::success();
}
