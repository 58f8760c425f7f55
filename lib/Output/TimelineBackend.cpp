//===- TimelineBackend.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/TimelineBackend.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::TimelineBackend)

warpo::TimelineBackend::~TimelineBackend() = default;

std::string TimelineInfo::streamName(StreamIndex stream) const {
  const StreamInfo &info = header.streams[stream];
  StringRef name = functions.streamName(info);
  std::string text = name.empty() ? functions.moduleName(info.moduleId) : name.str();
  size_t more = info.sharers + info.moduleIds().size() - 1;
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}
