//===- BriefName.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Works on demangled text, as wasm-ld demangles the names that it writes. In C++, only template
// instances have return types in their names. All other names stay unchanged, as they may come from
// any language.
//
//===----------------------------------------------------------------------===//

#include "warpo/Support/Demangle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static bool isWordCharacter(char c) { return isAlnum(c) || c == '_' || c == '$'; }

/// Whether `text` begins with a whole word.
static bool startsWithWord(StringRef text, StringRef word) {
  return text.consume_front(word) && (text.empty() || !isWordCharacter(text.front()));
}

static std::string withoutAbiTags(StringRef text) {
  static constexpr StringLiteral mark = "[abi:";
  std::string result;
  while (true) {
    size_t start = text.find(mark);
    result += text.take_front(start);
    if (start == StringRef::npos)
      return result;
    size_t end = text.find_if_not(isWordCharacter, start + mark.size());
    bool isTag = end != StringRef::npos && text[end] == ']';
    if (!isTag)
      result += mark;
    text = text.drop_front(isTag ? end + 1 : start + mark.size());
  }
}

namespace {

/// Finds the begin of the function's name in a signature.
class SignatureScan {
public:
  explicit SignatureScan(StringRef text) : text_(text) {}

  /// 0 unless it is certainly preceded by its return type.
  size_t nameStart() {
    while (at_ < text_.size())
      if (!step())
        return 0;
    StringRef name = text_.drop_front(start_);
    // If a function returns a pointer to a function, the type is around the name.
    bool isAround = name.starts_with("(") && !name.starts_with("(anonymous namespace)");
    return open_.empty() && isInstance_ && !isAround && !isAboutAnother() ? start_ : 0;
  }

private:
  /// Whether a word that is not a type precedes the name, such as in `new List<int>(int)` of
  /// another language.
  bool isAboutAnother() const {
    return any_of(ArrayRef<StringRef>{"new", "closure"},
                  [&](StringRef word) { return startsWithWord(text_, word); });
  }

  bool step() {
    StringRef rest = text_.drop_front(at_);
    bool isInWord = at_ > 0 && isWordCharacter(text_[at_ - 1]);
    if (!isInWord && startsWithWord(rest, "operator")) {
      passOperator(rest);
      return true;
    }
    char c = rest.front();
    if (c == ' ' && open_.empty())
      return passSpace(rest.drop_front());
    if (StringRef("<([{").contains(c)) {
      isInstance_ |= c == '(' && open_.empty() && at_ == endOfArguments_;
      open_.push_back(c);
    } else if (c == '>') {
      // Within parentheses, and in an arrow, it is an operator.
      bool isArrow = at_ > 0 && text_[at_ - 1] == '-';
      if (!isArrow && (open_.empty() || open_.back() != '(')) {
        if (open_.empty() || open_.pop_back_val() != '<')
          return false;
        endOfArguments_ = at_ + 1;
      }
    } else if (StringRef(")]}").contains(c) && !close(c)) {
      return false;
    }
    ++at_;
    return true;
  }

  /// `<` within them may have been an operator.
  bool close(char closing) {
    char opening = closing == ')' ? '(' : closing == ']' ? '[' : '{';
    while (!open_.empty())
      if (open_.pop_back_val() == opening)
        return true;
    return false;
  }

  bool passSpace(StringRef rest) {
    ++at_;
    // Words that are not in types; the last ones as in `virtual thunk to f()`.
    if (startsWithWord(rest, "requires") || startsWithWord(rest, "to") ||
        startsWithWord(rest, "for") || startsWithWord(rest, "in"))
      return false;
    bool isQualifier = startsWithWord(rest, "const") || startsWithWord(rest, "volatile") ||
                       startsWithWord(rest, "noexcept") || rest.starts_with("&") ||
                       rest.starts_with("[") || rest.starts_with("(.");
    if (isQualifier || isNamedOperator_)
      return true;
    start_ = at_;
    isInstance_ = false;
    return true;
  }

  void passOperator(StringRef rest) {
    static constexpr StringLiteral symbols[] = {"()", "[]", "\"\" ", "<=>", "<<=", ">>=", "->*",
                                                "<<", ">>", "<=",    ">=",  "->",  "<",   ">"};
    StringRef after = rest.drop_front(StringRef("operator").size());
    for (StringRef symbol : symbols)
      if (after.consume_front(symbol)) {
        if (after.starts_with(" <"))
          after = after.drop_front();
        at_ = text_.size() - after.size();
        return;
      }
    // As in `operator new` or `operator unsigned long`.
    isNamedOperator_ |= open_.empty() && after.starts_with(" ");
    at_ = text_.size() - after.size();
  }

  StringRef text_;
  size_t at_ = 0;
  SmallVector<char, 16> open_;
  /// The begin of the part that is assumed to be the function's name.
  size_t start_ = 0;
  /// Behind the last `>` of template arguments.
  size_t endOfArguments_ = StringRef::npos;
  /// Whether template arguments are followed by parameters in that part.
  bool isInstance_ = false;
  bool isNamedOperator_ = false;
};

} // namespace

std::string warpo::briefName(StringRef name) {
  std::string text = withoutAbiTags(demangleName(name));
  return text.substr(SignatureScan(text).nameStart());
}
