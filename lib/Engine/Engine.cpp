//===- Engine.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/Engine.h"

WARPO_INSTANTIATE_REGISTRY(warpo::Engine)

warpo::Engine::~Engine() = default;

llvm::Expected<std::optional<std::vector<warpo::wasm::HostCall>>>
warpo::Engine::hostCallsOf(llvm::StringRef) const {
  return std::nullopt;
}
