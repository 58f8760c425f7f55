//===- DiffBackend.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/DiffBackend.h"

WARPO_INSTANTIATE_REGISTRY(warpo::DiffBackend)

warpo::DiffBackend::~DiffBackend() = default;
