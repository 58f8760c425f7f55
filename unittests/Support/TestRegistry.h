//===- TestRegistry.h - A registry to which a plugin can add --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_SUPPORT_TESTREGISTRY_H
#define WARPO_UNITTESTS_SUPPORT_TESTREGISTRY_H

#include "warpo/Support/Registry.h"

struct TestThing {
  static constexpr llvm::StringLiteral kind = "thing";
  virtual ~TestThing() = default;
};

#endif
