//===- FunctionOrder.cpp --------------------------------------------------===//

#include "warpo/Order/FunctionOrder.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(FunctionOrder)

FunctionOrder::~FunctionOrder() = default;
