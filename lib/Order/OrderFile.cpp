//===- OrderFile.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderFile.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(OrderFile)

OrderFile::~OrderFile() = default;
