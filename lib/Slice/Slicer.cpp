//===- Slicer.cpp ---------------------------------------------------------===//

#include "warpo/Slice/Slicer.h"

WARPO_INSTANTIATE_REGISTRY(warpo::Slicer)

warpo::Slicer::~Slicer() = default;
