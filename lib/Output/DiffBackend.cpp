//===- DiffBackend.cpp ----------------------------------------------------===//

#include "warpo/Output/DiffBackend.h"

WARPO_INSTANTIATE_REGISTRY(warpo::DiffBackend)

warpo::DiffBackend::~DiffBackend() = default;
