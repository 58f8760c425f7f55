//===- NoViewer.cpp - For builds that found no speedscope -----------------===//

#include "Viewer.h"

std::optional<warpo::Viewer> warpo::packedViewer() { return std::nullopt; }
