//===- Slicer.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/Slicer.h"

WARPO_INSTANTIATE_REGISTRY(warpo::Slicer)

warpo::Slicer::~Slicer() = default;
