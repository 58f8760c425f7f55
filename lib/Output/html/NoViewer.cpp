//===- NoViewer.cpp - For builds that found no speedscope -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Viewer.h"

std::optional<warpo::Viewer> warpo::packedViewer() { return std::nullopt; }
