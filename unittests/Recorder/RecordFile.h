// SPDX-License-Identifier: Apache-2.0
// A record read back in the simplest way, and a folder that goes away: what the recorder's tests
// share.
#ifndef WARPO_UNITTESTS_RECORDER_RECORDFILE_H
#define WARPO_UNITTESTS_RECORDER_RECORDFILE_H

#include "warpo/Recorder/warpo_recorder.h"

#include "gtest/gtest.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// A folder for one test, removed after it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "warpo-recorder-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

/// The records of a file, which must hold the magic and whole records and nothing else.
inline std::vector<warpo_record> readRecords(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(bytes.substr(0, 16), "___WARP_TRACE___");
  EXPECT_EQ(bytes.size() % 16, 0u);
  std::vector<warpo_record> records(bytes.size() < 16 ? 0 : bytes.size() / 16 - 1);
  if (!records.empty())
    std::memcpy(records.data(), bytes.data() + 16, records.size() * sizeof(warpo_record));
  return records;
}

inline std::vector<int32_t> idsOf(const std::vector<warpo_record> &records, uint64_t module) {
  std::vector<int32_t> ids;
  for (const warpo_record &record : records)
    if (record.module == module)
      ids.push_back(record.id);
  return ids;
}

#endif
