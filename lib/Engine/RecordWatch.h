//===- RecordWatch.h - Reports at once that a record cannot be written ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDWATCH_H
#define WARPO_LIB_ENGINE_RECORDWATCH_H

#include "warpo/Recorder/warpo_recorder.h"
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace warpo {

/// While this lives, a thread looks whether a recorder has failed, as it does when the disk is
/// full.
class RecordWatch {
public:
  /// `onFailure` is called at most once, on that thread. Both parameters must outlive this.
  RecordWatch(const warpo_recorder *recorder,
              const std::function<void(const std::string &)> &onFailure);
  RecordWatch(const RecordWatch &) = delete;
  RecordWatch &operator=(const RecordWatch &) = delete;
  ~RecordWatch();

private:
  void watch();

  const warpo_recorder *recorder_;
  const std::function<void(const std::string &)> &onFailure_;
  std::mutex lock_;
  std::condition_variable changed_;
  /// Guarded by `lock_`.
  bool ends_ = false;
  std::thread thread_;
};

} // namespace warpo

#endif
