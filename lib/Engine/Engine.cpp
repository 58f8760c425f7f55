//===- Engine.cpp ---------------------------------------------------------===//

#include "warpo/Engine/Engine.h"

WARPO_INSTANTIATE_REGISTRY(warpo::Engine)

warpo::Engine::~Engine() = default;
