//===- FilesTest.cpp - Input in blocks, output whole or not at all --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/LineReader.h"
#include "warpo/Support/NameGlobs.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/OutputSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

class FilesTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("files", folder_)); }
  void TearDown() override { sys::fs::remove_directories(folder_); }

  std::string path(StringRef name) const { return (folder_ + "/" + name).str(); }
  static std::string read(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "(none)";
  }
  static void write(StringRef path, StringRef text) {
    std::error_code code;
    raw_fd_ostream(path, code) << text;
    EXPECT_FALSE(code);
  }
  size_t filesInFolder() const {
    std::error_code code;
    size_t count = 0;
    for (sys::fs::directory_iterator i(folder_, code), end; i != end && !code; i.increment(code))
      ++count;
    return count;
  }
  static unsigned modeOf(StringRef path) {
    struct stat status;
    return stat(path.str().c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
  }

  SmallString<128> folder_;
};

TEST_F(FilesTest, OfTwoNewFilesOfOneNameTheFirstStays) {
  std::string target = path("table");
  auto first = cantFail(OutputFile::create(target));
  auto second = cantFail(OutputFile::create(target));
  for (OutputFile *file : {first.get(), second.get()})
    file->mustBeNew();
  first->os() << "first";
  second->os() << "second";
  EXPECT_EQ(toString(first->commit()), "");
  EXPECT_EQ(toString(second->commit()), target + ": file exists");
  EXPECT_EQ(read(target), "first");
  second.reset();
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(FilesTest, windowsMoveOverAFile) {
  std::string text;
  for (int i = 0; i < 400000; ++i)
    text += char('a' + i % 26);
  write(path("in"), text);
  for (size_t step : {size_t(1000), size_t(262144), size_t(262145), size_t(399999)}) {
    auto input = cantFail(InputStream::open(path("in")));
    EXPECT_EQ(input->size(), text.size());
    std::string got;
    while (true) {
      ArrayRef<uint8_t> window = cantFail(input->window(step));
      EXPECT_EQ(input->offset(), got.size());
      if (window.empty())
        break;
      EXPECT_GE(window.size(), std::min(step, text.size() - got.size()));
      size_t take = std::min(step, window.size());
      got.append(window.begin(), window.begin() + take);
      input->consume(take);
    }
    EXPECT_TRUE(got == text) << step;
  }
}

TEST_F(FilesTest, inputIsReadFromAnyPlace) {
  std::string text;
  for (size_t i = 0; i < 2000000; ++i)
    text += char('a' + i % 26 + i / 300000);
  write(path("in"), text);
  std::unique_ptr<InputStream> inputs[] = {
      cantFail(InputStream::open(path("in"))),
      InputStream::fromBytes(arrayRefFromStringRef(text), "in")};
  for (const auto &input : inputs) {
    ASSERT_TRUE(input->canSeek());
    for (size_t place : {size_t(1500000), size_t(3), size_t(400000), size_t(400010),
                         text.size() - 5, text.size(), size_t(0)}) {
      cantFail(input->seek(place));
      EXPECT_EQ(input->offset(), place);
      StringRef there = StringRef(text).drop_front(place).take_front(10);
      EXPECT_EQ(toStringRef(cantFail(input->window(10))).take_front(10), there);
      input->consume(there.size() / 2);
      uint8_t bytes[10];
      size_t got = cantFail(input->readAt(place, bytes));
      EXPECT_EQ(StringRef(reinterpret_cast<char *>(bytes), got), there);
      EXPECT_EQ(toStringRef(cantFail(input->window(1))).take_front(2),
                there.drop_front(there.size() / 2).take_front(2));
    }
  }
}

TEST_F(FilesTest, inputSaysWhatIsWrong) {
  EXPECT_EQ(toString(InputStream::open(folder_).takeError()),
            folder_.str().str() + ": is a directory");
  EXPECT_EQ(toString(InputStream::open(path("absent")).takeError()),
            path("absent") + ": no such file or directory");
}

TEST_F(FilesTest, linesOfAllKinds) {
  struct Case {
    const char *text;
    std::vector<std::string> lines;
    bool lacksEnd;
  };
  for (const Case &c : std::initializer_list<Case>{{"", {}, false},
                                                   {"a\n", {"a"}, false},
                                                   {"a\r\n\nb", {"a", "", "b"}, true},
                                                   {"\r\n", {""}, false}}) {
    LineReader lines(InputStream::fromBytes(arrayRefFromStringRef(c.text), "in"));
    std::vector<std::string> got;
    while (auto line = cantFail(lines.next())) {
      got.push_back(line->str());
      EXPECT_EQ(lines.lineNumber(), got.size());
    }
    EXPECT_EQ(got, c.lines);
    EXPECT_EQ(lines.lacksEnd(), c.lacksEnd) << c.text;
  }
  std::string endless(LineReader::maxLength + 1, 'x');
  LineReader lines(InputStream::fromBytes(arrayRefFromStringRef(endless), "in"));
  EXPECT_EQ(toString(lines.next().takeError()), "in:1: the line is longer than 1048576 bytes");
}

TEST_F(FilesTest, outputAppearsWithItsCommit) {
  write(path("out"), "old");
  {
    auto file = cantFail(OutputFile::create(path("out")));
    file->os() << "half";
  }
  EXPECT_EQ(read(path("out")), "old");
  EXPECT_EQ(filesInFolder(), 1u);
  {
    auto file = cantFail(OutputFile::create(path("out")));
    file->os() << "new";
    EXPECT_EQ(read(path("out")), "old");
    cantFail(file->commit());
  }
  EXPECT_EQ(read(path("out")), "new");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(FilesTest, outputKeepsLinksAndPermissions) {
  write(path("target"), "old");
  ASSERT_EQ(chmod(path("target").c_str(), 0640), 0);
  ASSERT_EQ(symlink("target", path("link").c_str()), 0);
  cantFail(writeOutput(path("link"), [](raw_ostream &os) {
    os << "new";
    return Error::success();
  }));
  EXPECT_TRUE(sys::fs::is_symlink_file(path("link")));
  EXPECT_EQ(read(path("target")), "new");
  EXPECT_EQ(modeOf(path("target")), 0640u);

  // Through links to what does not exist yet, from folder to folder.
  ASSERT_FALSE(sys::fs::create_directory(path("sub")));
  ASSERT_EQ(symlink("sub/second", path("first").c_str()), 0);
  ASSERT_EQ(symlink("../end", path("sub/second").c_str()), 0);
  auto linked = cantFail(OutputFile::create(path("first")));
  EXPECT_EQ(linked->name(), path("first"));
  linked->os() << "far";
  cantFail(linked->commit());
  EXPECT_TRUE(sys::fs::is_symlink_file(path("first")));
  EXPECT_TRUE(sys::fs::is_symlink_file(path("sub/second")));
  EXPECT_EQ(read(path("end")), "far");
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  EXPECT_EQ(toString(OutputFile::create(path("loop")).takeError()),
            path("loop") + ": too many levels of symbolic links");

  mode_t mask = umask(027);
  cantFail(writeOutput(path("fresh"), [](raw_ostream &) { return Error::success(); }));
  umask(mask);
  EXPECT_EQ(modeOf(path("fresh")), 0640u);
}

TEST_F(FilesTest, outputSaysWhatIsWrong) {
  EXPECT_EQ(toString(OutputFile::create(folder_).takeError()),
            folder_.str().str() + ": is a directory");
  EXPECT_EQ(toString(OutputFile::create("").takeError()), "the name of the output file is empty");
  EXPECT_EQ(toString(OutputFile::create(path("absent/out")).takeError()),
            path("absent/out") + ": there is no folder '" + path("absent") + "'");
  auto full = cantFail(OutputFile::create("/dev/full"));
  full->os() << "text";
  EXPECT_EQ(toString(full->commit()), "/dev/full: no space left on device");
  EXPECT_EQ(toString(writeOutput(path("out"),
                                 [](raw_ostream &os) {
                                   os << "half";
                                   return createStringError("wrong");
                                 })),
            "wrong");
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(FilesTest, anOutputIsNoInput) {
  write(path("in"), "text");
  write(path("other"), "text");
  ASSERT_EQ(link(path("in").c_str(), path("hard").c_str()), 0);
  ASSERT_EQ(symlink("new", path("link").c_str()), 0);
  std::string refused =
      ": is the same file as the input '" + path("in") + "', which the output would overwrite";
  {
    FilesInUse files;
    cantFail(readWholeInput(path("in")));
    EXPECT_EQ(toString(OutputFile::create(path("hard")).takeError()), path("hard") + refused);
    EXPECT_EQ(toString(FilesInUse::checkOutput(path("in"))), path("in") + refused);
    auto fresh = cantFail(OutputFile::create(path("new")));
    EXPECT_EQ(toString(OutputFile::create(path("link")).takeError()),
              "two outputs go to '" + path("link") + "', which is also '" + path("new") + "'");
    // What is thrown away is so as often as anybody likes.
    for (int i = 0; i < 2; ++i)
      cantFail(OutputFile::create("/dev/null"));
  }
  // Nobody else is concerned.
  cantFail(OutputFile::create(path("in")));
}

TEST_F(FilesTest, anInputThatIsFoundLaterKeepsAllOutputsBack) {
  write(path("in"), "text");
  FilesInUse files;
  OutputSet outputs;
  for (StringRef name : {"first", "in"})
    cantFail(outputs.add(path(name), [](raw_ostream &os) { os << "new"; }));
  // Whoever wants to read it may do without.
  EXPECT_TRUE(errorToBool(InputStream::open(path("in")).takeError()));
  EXPECT_EQ(toString(outputs.write()), path("in") + ": is the same file as the input '" +
                                           path("in") + "', which the output would overwrite");
  EXPECT_EQ(read(path("in")), "text");
  EXPECT_EQ(read(path("first")), "(none)");
}

TEST(NameGlobs, choosesNames) {
  struct Case {
    const char *pattern;
    const char *name;
    bool matches;
  };
  for (const Case &c : std::initializer_list<Case>{{"main", "main", true},
                                                   {"main", "mains", false},
                                                   {"~lib*", "~lib/string", true},
                                                   {"a?c", "abc", true},
                                                   {"[a-c]x", "bx", true},
                                                   {"[a-c]x", "[a-c]x", true},
                                                   {"Array<i32>#[]", "Array<i32>#[]", true},
                                                   {"Array<*>#[]=", "Array<i32>#[]=", true},
                                                   {"Array<*>#[]", "Array<i32>#at", false},
                                                   {"[[]x", "[x", true},
                                                   {"[a[]x[]", "[x[]", true},
                                                   {"[^[]x", "ax", true},
                                                   {"\\[]", "[]", true},
                                                   {"a\\*", "a*", true},
                                                   {"a\\*", "ab", false},
                                                   {"", "a", false}}) {
    NameGlobs globs = cantFail(NameGlobs::create({std::string(c.pattern)}, "include"));
    EXPECT_EQ(globs.matches(c.name), c.matches) << c.pattern << ' ' << c.name;
  }
  std::string error = toString(NameGlobs::create({std::string("a[")}, "include").takeError());
  EXPECT_EQ(StringRef(error).take_front(14), "--include=a[: ");
}

} // namespace
