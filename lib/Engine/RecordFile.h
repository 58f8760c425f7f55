//===- RecordFile.h - A record that another process will write ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDFILE_H
#define WARPO_LIB_ENGINE_RECORDFILE_H

#include "warpo/Support/OwnedDescriptor.h"
#include <optional>
#include <string>

namespace warpo {

/// The file is opened here, and made empty by its writer once there is something to record: a
/// program that cannot run leaves the record of an earlier run as it is. A file that was made for
/// it and in which nothing has been written is removed in the end.
class RecordFile {
public:
  /// Nothing if it cannot be opened: the writer finds out why.
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
