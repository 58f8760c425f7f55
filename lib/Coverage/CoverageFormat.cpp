//===- CoverageFormat.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/CoverageFormat.h"

WARPO_INSTANTIATE_REGISTRY(warpo::CoverageFormat)

warpo::CoverageFormat::~CoverageFormat() = default;
