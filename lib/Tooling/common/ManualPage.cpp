//===- ManualPage.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ManualPage.h"
#include "warpo/Support/Version.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Escapes the text of a line. Hyphens must not become typographic ones, as readers may copy them,
/// and a line that begins with a dot or an apostrophe would be a request.
std::string escaped(StringRef text) {
  std::string result;
  if (text.starts_with(".") || text.starts_with("'"))
    result = "\\&";
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result;
}

/// Text in angle brackets is a placeholder.
std::string withPlaceholders(StringRef text) {
  std::string result;
  for (;;) {
    auto [before, rest] = text.split('<');
    result += escaped(before);
    if (rest.empty())
      return result;
    auto [name, after] = rest.split('>');
    result += "\\fI" + escaped(name) + "\\fR";
    text = after;
  }
}

void writeOption(const ShownOption &option, raw_ostream &os) {
  os << ".TP\n\\fB" << escaped(option.spelling) << "\\fR" << withPlaceholders(option.value) << '\n'
     << escaped(option.description) << '\n';
  if (option.values.empty())
    return;
  os << ".RS\n";
  for (const KnownValue &value : option.values) {
    os << ".TP\n\\fB" << escaped(value.name) << "\\fR\n";
    if (!value.description.empty())
      os << escaped(value.description) << '\n';
  }
  os << ".RE\n";
}

/// Up to the end of the first sentence, or to a list in it.
StringRef purpose(StringRef overview) {
  size_t end = std::min(overview.find(". "), overview.find(": "));
  return overview.take_front(end).rtrim('.');
}

} // namespace

void warpo::writeManualPage(const ManualPage &page, raw_ostream &os) {
  os << ".TH " << StringRef(page.tool).upper() << " 1 \"\" \"warpo " WARPO_VERSION_STRING
     << "\" \"User Commands\"\n"
     << ".SH NAME\n"
     << page.tool << " \\- " << escaped(purpose(page.overview)) << '\n'
     << ".SH SYNOPSIS\n\\fB" << escaped(page.tool) << "\\fR " << withPlaceholders(page.usage)
     << '\n'
     << ".SH DESCRIPTION\n"
     << escaped(page.overview) << (page.overview.ends_with(".") ? "\n" : ".\n");
  os << ".SH " << page.heading << '\n';
  for (const ShownGroup &group : page.groups) {
    if (!group.name.empty())
      os << ".SS " << escaped(group.name) << '\n';
    for (const ShownOption &option : group.options)
      writeOption(option, os);
  }
  if (!page.exitCodes.empty()) {
    os << ".SH EXIT STATUS\n";
    for (const auto &[code, meaning] : page.exitCodes)
      os << ".TP\n\\fB" << code << "\\fR\n" << escaped(meaning) << '\n';
  }
  os << ".SH EXAMPLES\n.nf\n";
  for (StringRef line : split(page.examples, '\n'))
    os << escaped(line.ltrim()) << '\n';
  os << ".fi\n.SH SEE ALSO\n"
     << (page.tool == "warpo" ? "" : "\\fBwarpo\\fR(1); ") << escaped(page.page)
     << " of the documentation, which is installed in share/doc/warpo.\n";
}
