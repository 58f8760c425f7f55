//===- FunctionOrder.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionOrder.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(FunctionOrder)

FunctionOrder::~FunctionOrder() = default;
