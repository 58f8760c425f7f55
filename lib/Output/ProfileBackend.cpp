//===- ProfileBackend.cpp -------------------------------------------------===//

#include "warpo/Output/ProfileBackend.h"

WARPO_INSTANTIATE_REGISTRY(warpo::ProfileBackend)

warpo::ProfileBackend::~ProfileBackend() = default;
