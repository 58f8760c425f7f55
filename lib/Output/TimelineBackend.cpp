//===- TimelineBackend.cpp ------------------------------------------------===//

#include "warpo/Output/TimelineBackend.h"

WARPO_INSTANTIATE_REGISTRY(warpo::TimelineBackend)

warpo::TimelineBackend::~TimelineBackend() = default;
