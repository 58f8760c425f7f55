//===- Instrumentation.cpp - The registry of instrumentations -------------===//

#include "warpo/Instrument/Instrumentation.h"

WARPO_INSTANTIATE_REGISTRY(warpo::Instrumentation)
