//===- ResolvedPathTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ResolvedPath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

TEST(ResolvedPath, HasOneSpellingForOneFile) {
  SmallString<128> made;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("resolved-path", made));
  SmallString<128> root;
  ASSERT_FALSE(sys::fs::real_path(made, root));
  ASSERT_FALSE(sys::fs::create_directories(root + "/real/deep"));
  ASSERT_FALSE(sys::fs::create_link(root + "/real/deep", root + "/link"));

  EXPECT_EQ(resolvedPath((root + "/link").str()), (root + "/real/deep").str());
  EXPECT_EQ(resolvedPath((root + "/link/new").str()), (root + "/real/deep/new").str());
  EXPECT_EQ(resolvedPath((root + "/link/../new").str()), (root + "/real/new").str());
  EXPECT_EQ(resolvedPath((root + "/none/./x/../new").str()), (root + "/none/new").str());
  EXPECT_EQ(resolvedPath(""), resolvedPath("."));
  EXPECT_EQ(relativePath((root + "/link/new").str(), (root + "/real").str()), "deep/new");
  EXPECT_EQ(relativePath((root + "/new").str(), (root + "/link").str()), "../../new");
  EXPECT_EQ(relativePath("new", ""), "new");
  EXPECT_FALSE(sys::fs::remove_directories(root));
}
