//===- TimelineBackend.cpp ------------------------------------------------===//

#include "warpo/Output/TimelineBackend.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::TimelineBackend)

warpo::TimelineBackend::~TimelineBackend() = default;

std::string TimelineInfo::streamName(StreamIndex stream) const {
  const StreamInfo &info = header.streams[stream];
  StringRef name = functions.streamName(info);
  return name.empty() ? functions.moduleName(info.moduleId) : name.str();
}
