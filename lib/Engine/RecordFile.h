//===- RecordFile.h - A record written by another process -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDFILE_H
#define WARPO_LIB_ENGINE_RECORDFILE_H

#include "warpo/Support/OwnedDescriptor.h"
#include <optional>
#include <string>

namespace warpo {

/// The file is opened here, but its writer truncates it only when there is something to record, so
/// that a program that cannot run does not overwrite the record of an earlier run. If the file was
/// created here and is empty at the end, it is removed.
class RecordFile {
public:
  /// Nothing if it cannot be opened: the writer will report why.
  static std::optional<RecordFile> open(const std::string &path);
  RecordFile(RecordFile &&) = default;
  ~RecordFile();

  int descriptor() const { return fd_.get(); }

private:
  explicit RecordFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
  OwnedDescriptor fd_;
  bool isNew_ = false;
};

} // namespace warpo

#endif
