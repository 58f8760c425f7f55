// SPDX-License-Identifier: Apache-2.0
// Paths of programs, resolved in a folder with links that lead in and out, and in one that changes
// meanwhile.
#include "wasi/BeneathPath.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <atomic>
#include <fcntl.h>
#include <thread>

using namespace warpo;
using namespace warpo::wasi;

namespace {

constexpr int noEntry = 44;

/// A folder `in` beside a folder `out`.
class BeneathPath : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("warpo-beneath", path));
    world_ = path.str().str();
    for (const char *folder : {"/in", "/in/sub", "/in/sub/deep", "/out"})
      ASSERT_EQ(mkdir((world_ + folder).c_str(), 0777), 0);
    link("../out", "/in/away");
    link("sub/deep", "/in/short");
    link("../..", "/in/sub/deep/root");
    link("loop", "/in/loop");
    link("/", "/in/absolute");
    in_.reset(open((world_ + "/in").c_str(), O_PATH | O_DIRECTORY));
    ASSERT_TRUE(in_);
    if (!canResolveBeneath(in_.get()))
      GTEST_SKIP() << "this kernel has no openat2";
  }
  void TearDown() override { llvm::sys::fs::remove_directories(world_); }

  void link(const char *target, const std::string &path) {
    ASSERT_EQ(symlink(target, (world_ + path).c_str()), 0);
  }
  FileId idOfPath(const std::string &path) {
    struct stat status;
    EXPECT_EQ(stat((world_ + path).c_str(), &status), 0) << path;
    return idOf(status);
  }

  std::string world_;
  OwnedDescriptor in_;
};

TEST_F(BeneathPath, LeadsToANameInAFolder) {
  constexpr auto keep = LastLink::keep, slash = LastLink::followBeforeSlash,
                 follow = LastLink::follow;
  struct {
    const char *path;
    LastLink lastLink;
    Errno error;
    const char *parent, *name;
    bool hasSlash = false;
  } cases[] = {
      {"new", keep, success, "/in", "new"},
      {"sub/new", keep, success, "/in/sub", "new"},
      {"sub/../new", keep, success, "/in", "new"},
      {"short/new/", keep, success, "/in/sub/deep", "new", true},
      {"short", keep, success, "/in", "short"},
      {"short", follow, success, "/in/sub", "deep"},
      {"short/", keep, success, "/in", "short", true},
      {"short/", slash, success, "/in/sub", "deep", true},
      {"sub/deep/root/sub/x", keep, success, "/in/sub", "x"},
      {"sub/deep/root", follow, success, "/in", "."},
      {".", keep, success, "/in", "."},
      {"sub/..", keep, success, "/in", "."},
      {"sub/deep/..", keep, success, "/in/sub", "."},
      {"..", keep, notCapable, nullptr, nullptr},
      {"sub/../..", keep, notCapable, nullptr, nullptr},
      {"away/x", keep, notCapable, nullptr, nullptr},
      {"away", follow, notCapable, nullptr, nullptr},
      {"away/", slash, notCapable, nullptr, nullptr},
      {"absolute/x", keep, notCapable, nullptr, nullptr},
      {"absolute", follow, notCapable, nullptr, nullptr},
      {"sub/deep/root/..", keep, notCapable, nullptr, nullptr},
      {"/", keep, notCapable, nullptr, nullptr},
      {"loop", follow, loop, nullptr, nullptr},
      {"loop/x", keep, loop, nullptr, nullptr},
      {"nothing/x", keep, Errno(noEntry), nullptr, nullptr},
      {"", keep, invalid, nullptr, nullptr},
  };
  for (const auto &test : cases) {
    Place place;
    ASSERT_EQ(resolveBeneath(in_.get(), test.path, test.lastLink, place), test.error) << test.path;
    if (test.error)
      continue;
    struct stat status;
    ASSERT_EQ(fstat(place.parent, &status), 0);
    EXPECT_EQ(idOf(status), idOfPath(test.parent)) << test.path;
    EXPECT_EQ(place.name, test.name) << test.path;
    EXPECT_EQ(place.hasSlash, test.hasSlash) << test.path;
  }
  Place place;
  EXPECT_EQ(resolveBeneath(in_.get(), llvm::StringRef("a\0b", 3), keep, place), invalid);
  EXPECT_EQ(resolveBeneath(in_.get(), std::string(5000, 'x'), keep, place), nameTooLong);
}

TEST_F(BeneathPath, TargetsOfLinks) {
  OwnedDescriptor deep(open((world_ + "/in/sub/deep").c_str(), O_PATH | O_DIRECTORY));
  struct {
    const char *target;
    Errno fromRoot, fromDeep;
  } cases[] = {{"x", success, success},          {"./x//y/.", success, success},
               {"..", notCapable, success},      {"../..", notCapable, success},
               {"../../x", notCapable, success}, {"../../..", notCapable, notCapable},
               {"x/..", notCapable, notCapable}, {".././../x", notCapable, success},
               {"/", notPermitted, notPermitted}};
  FileId root = idOfPath("/in");
  for (const auto &test : cases) {
    EXPECT_EQ(checkLinkTarget(in_.get(), root, test.target), test.fromRoot) << test.target;
    EXPECT_EQ(checkLinkTarget(deep.get(), root, test.target), test.fromDeep) << test.target;
  }
  // Of a folder that has been moved away.
  EXPECT_EQ(checkLinkTarget(deep.get(), idOfPath("/out"), ".."), notCapable);
}

// Another thread makes of a folder on the way a link that leads out, and a folder again.
TEST_F(BeneathPath, HoldsWhileTheFolderChanges) {
  link("../out", "/in/other");
  FileId inside = idOfPath("/in/sub");
  std::atomic<bool> stops = false;
  std::thread changer([&] {
    std::string sub = world_ + "/in/sub", other = world_ + "/in/other";
    while (!stops)
      renameat2(AT_FDCWD, sub.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  });
  for (int i = 0; i < 3000; ++i) {
    Place place;
    if (Errno error = resolveBeneath(in_.get(), "sub/x", LastLink::keep, place)) {
      EXPECT_EQ(error, notCapable);
      continue;
    }
    struct stat status;
    EXPECT_EQ(fstat(place.parent, &status), 0);
    EXPECT_EQ(idOf(status), inside);
  }
  stops = true;
  changer.join();
}

} // namespace
