//===- AnnotationFormat.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/AnnotationFormat.h"

using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::AnnotationFormat)

AnnotationFormat::~AnnotationFormat() = default;
