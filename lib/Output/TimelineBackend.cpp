//===- TimelineBackend.cpp ------------------------------------------------===//

#include "warpo/Output/TimelineBackend.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::TimelineBackend)

warpo::TimelineBackend::~TimelineBackend() = default;

std::string TimelineInfo::streamName(StreamIndex stream) const {
  const StreamInfo &info = header.streams[stream];
  return info.name.empty() ? functions.moduleName(info.moduleId) : info.name;
}
