//===- Completion.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Completion.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class OptionFinder {
public:
  /// The option spelled by `word` up to its `=`.
  const ShownOption *find(StringRef word) const {
    StringRef name = word.split('=').first;
    if (!name.consume_front("-"))
      return nullptr;
    name.consume_front("-");
    for (const ShownGroup &group : groups_)
      for (const ShownOption &option : group.options)
        if (option.name == name)
          return &option;
    return nullptr;
  }

  /// The option `word` if the next word is its value.
  const ShownOption *expectsNext(StringRef word) const {
    const ShownOption *option = word.contains('=') ? nullptr : find(word);
    return option && option->needsValue() ? option : nullptr;
  }

  const std::vector<ShownGroup> &groups() const { return groups_; }

private:
  std::vector<ShownGroup> groups_ = shownOptions();
};

/// Whether further words belong to the program started by the tool.
bool areOfProgram(ArrayRef<StringRef> words, const OptionFinder &options) {
  if (is_contained(words, "--"))
    return true;
  if (!cl::SubCommand::getTopLevel().ConsumeAfterOpt)
    return false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("-"))
      return true;
    if (options.expectsNext(words[i]))
      ++i;
  }
  return false;
}

Completion completeValue(const ShownOption &option) {
  Completion result;
  std::string list = ("list-" + option.name + "s").str();
  if (cl::getRegisteredOptions().contains(list))
    result.list = "--" + list;
  for (const KnownValue &value : option.values)
    result.candidates.emplace_back(value.name, value.description);
  return result;
}

} // namespace

Completion warpo::completeWords(ArrayRef<StringRef> words) {
  Completion result;
  if (words.empty())
    return result;
  OptionFinder options;
  StringRef current = words.back();
  words = words.drop_back();
  if (areOfProgram(words, options))
    return result;
  if (const ShownOption *option = words.empty() ? nullptr : options.expectsNext(words.back()))
    return completeValue(*option);
  if (current.contains('=')) {
    const ShownOption *option = options.find(current);
    return option ? completeValue(*option) : result;
  }
  if (current.starts_with("-"))
    for (const ShownGroup &group : options.groups())
      for (const ShownOption &option : group.options)
        result.candidates.emplace_back(option.spelling +
                                           (StringRef(option.value).starts_with("=") ? "=" : ""),
                                       option.description);
  return result;
}

void warpo::print(const Completion &completion, raw_ostream &os) {
  for (const auto &[candidate, description] : completion.candidates)
    os << candidate << " - " << description << '\n';
}
