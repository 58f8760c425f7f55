//===- HelpText.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HelpText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <cstring>

using namespace llvm;

namespace warpo {

static constexpr size_t columns = 80;
static constexpr size_t narrowestText = 30;

static std::vector<const cl::OptionCategory *> &groups() {
  static std::vector<const cl::OptionCategory *> all;
  return all;
}

OptionGroup::OptionGroup(StringRef name) : OptionCategory(name) { groups().push_back(this); }

OptionGroup &toolOptions() {
  static OptionGroup group("What to insert");
  return group;
}

OptionHelp inputOption(StringRef text, StringRef value) {
  static OptionGroup group("Input");
  return group.option(text, value);
}

OptionHelp viewOption(StringRef text, StringRef value) {
  static OptionGroup group("What to show");
  return group.option(text, value);
}

OptionHelp outputOption(StringRef text, StringRef value) {
  static OptionGroup group("Where to write");
  return group.option(text, value);
}

std::string wrapText(StringRef text, size_t firstWidth, size_t width) {
  std::string result;
  size_t used = 0;
  size_t limit = firstWidth;
  SmallVector<StringRef, 16> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (used > 0 && used + 1 + word.size() > limit) {
      result += '\n';
      used = 0;
      limit = width;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

std::string fitHelp(const ToolInfo &info) {
  cl::HideUnrelatedOptions(groups());
  // Options keep a reference to their description, and live as long as the program.
  static BumpPtrAllocator allocator;
  static StringSaver texts(allocator);
  auto &options = cl::getRegisteredOptions();
  for (auto [name, text] : {std::pair("help", "Show this help (--help-hidden: all options)"),
                            std::pair("help-list", "Show the options without headings"),
                            std::pair("version", "Show the version")})
    if (auto option = options.find(name); option != options.end()) {
      option->second->setDescription(text);
      // LLVM shows --help-list, too, but decides that only when it prints.
      option->second->setHiddenFlag(cl::NotHidden);
    }

  auto isShown = [](const cl::Option &option) {
    return option.getOptionHiddenFlag() == cl::NotHidden && option.hasArgStr();
  };
  size_t column = 0;
  for (auto &entry : options)
    if (isShown(*entry.second))
      column = std::max(column, entry.second->getOptionWidth());
  // The width includes " - " after the longest option.
  size_t width = std::max(narrowestText, columns - std::min(columns, column));
  for (auto &entry : options)
    if (isShown(*entry.second))
      entry.second->setDescription(texts.save(wrapText(entry.second->HelpStr, width, width)));
  static cl::extrahelp end(
      texts.save("\nEXAMPLES:\n" + info.examples + "\n\nSEE ALSO: " + info.page + "\n"));
  return wrapText(info.overview, columns - strlen("OVERVIEW: "), columns);
}

} // namespace warpo
