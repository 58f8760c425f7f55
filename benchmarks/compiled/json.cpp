// SPDX-License-Identifier: Apache-2.0
// A program of C++ for counts.py, with its library's strings, trees and allocation: reads the JSON
// of standard input as often as its first number says, sorts the members of objects by name, and
// prints how long the result is, a hash of it, and the sum of its numbers.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Value;
using Members = std::map<std::string, std::unique_ptr<Value>>;

struct Value {
  enum Kind { null, truth, number, text, list, object } kind = null;
  bool isTrue = false;
  double amount = 0;
  std::string string;
  std::vector<std::unique_ptr<Value>> items;
  Members members;
};

class Parser {
public:
  explicit Parser(const std::string &text) : text_(text) {}

  std::unique_ptr<Value> value();

private:
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : 0;
  }
  bool take(char wanted) {
    if (next() != wanted)
      return false;
    ++at_;
    return true;
  }
  std::string string();
  void list(Value &value);
  void object(Value &value);
  void number(Value &value);

  const std::string &text_;
  size_t at_ = 0;
};

std::string Parser::string() {
  std::string result;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    char letter = text_[at_];
    if (letter == '\\' && ++at_ < text_.size())
      letter = text_[at_] == 'n' ? '\n' : text_[at_];
    result += letter;
  }
  ++at_;
  return result;
}

void Parser::list(Value &value) {
  value.kind = Value::list;
  ++at_;
  while (next() && !take(']')) {
    value.items.push_back(this->value());
    take(',');
  }
}

void Parser::object(Value &value) {
  value.kind = Value::object;
  ++at_;
  while (next() && !take('}')) {
    std::string name = string();
    take(':');
    value.members[std::move(name)] = this->value();
    take(',');
  }
}

void Parser::number(Value &value) {
  value.kind = Value::number;
  const char *begin = text_.c_str() + at_;
  char *end = nullptr;
  value.amount = std::strtod(begin, &end);
  at_ += end == begin ? 1 : size_t(end - begin);
}

std::unique_ptr<Value> Parser::value() {
  auto result = std::make_unique<Value>();
  switch (next()) {
  case '{':
    object(*result);
    break;
  case '[':
    list(*result);
    break;
  case '"':
    result->kind = Value::text;
    result->string = string();
    break;
  case 't':
  case 'f':
    result->kind = Value::truth;
    result->isTrue = text_[at_] == 't';
    at_ += result->isTrue ? 4 : 5;
    break;
  case 'n':
    at_ += 4;
    break;
  default:
    number(*result);
  }
  return result;
}

void writeString(const std::string &string, std::string &out) {
  out += '"';
  for (char letter : string) {
    if (letter == '"' || letter == '\\')
      out += '\\';
    if (letter == '\n')
      out += "\\n";
    else
      out += letter;
  }
  out += '"';
}

double write(const Value &value, std::string &out) {
  double sum = 0;
  switch (value.kind) {
  case Value::null:
    out += "null";
    break;
  case Value::truth:
    out += value.isTrue ? "true" : "false";
    break;
  case Value::number: {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.10g", value.amount);
    out += digits;
    return value.amount;
  }
  case Value::text:
    writeString(value.string, out);
    break;
  case Value::list:
    out += '[';
    for (const auto &item : value.items) {
      sum += write(*item, out);
      out += ',';
    }
    out += ']';
    break;
  case Value::object:
    out += '{';
    for (const auto &[name, member] : value.members) {
      writeString(name, out);
      out += ':';
      sum += write(*member, out);
      out += ',';
    }
    out += '}';
  }
  return sum;
}

} // namespace

int main() {
  std::string text;
  char buffer[4096];
  while (size_t size = std::fread(buffer, 1, sizeof buffer, stdin))
    text.append(buffer, size);
  char *end = nullptr;
  long rounds = std::strtol(text.c_str(), &end, 10);
  text.erase(0, size_t(end - text.c_str()));
  std::string out;
  double sum = 0;
  for (; rounds > 0; --rounds) {
    out.clear();
    sum += write(*Parser(text).value(), out);
  }
  uint32_t hash = 0;
  for (char letter : out)
    hash = hash * 31 + uint8_t(letter);
  std::printf("%zu %08x %.6g\n", out.size(), unsigned(hash), sum);
}
