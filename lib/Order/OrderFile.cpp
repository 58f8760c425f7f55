//===- OrderFile.cpp ------------------------------------------------------===//

#include "warpo/Order/OrderFile.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(OrderFile)

OrderFile::~OrderFile() = default;
