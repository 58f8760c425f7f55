//===- MessageJson.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "MessageJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo::otlp;

namespace {

class MessageWriter {
public:
  explicit MessageWriter(raw_ostream &os) : json_(os) {}

  void write(const ProfilesData &data) {
    json_.object([&] {
      list("resourceProfiles", data.resource_profiles());
      json_.attributeObject("dictionary", [&] { members(data.dictionary()); });
    });
  }

private:
  void number(StringRef name, int32_t value) {
    if (value != 0)
      json_.attribute(name, value);
  }
  template <typename T> void longNumber(StringRef name, T value) {
    if (value != 0)
      json_.attribute(name, std::to_string(value));
  }
  void text(StringRef name, StringRef value) {
    if (!value.empty())
      json_.attribute(name, value);
  }
  void id(StringRef name, StringRef bytes) { text(name, toHex(bytes, /*LowerCase=*/true)); }
  template <typename Indices> void indices(StringRef name, const Indices &values) {
    if (!values.empty())
      json_.attributeArray(name, [&] {
        for (int32_t value : values)
          json_.value(value);
      });
  }
  template <typename Messages> void list(StringRef name, const Messages &messages) {
    if (!messages.empty())
      json_.attributeArray(name, [&] {
        for (const auto &message : messages)
          json_.object([&] { members(message); });
      });
  }
  template <typename Message> void object(StringRef name, const Message &message) {
    json_.attributeObject(name, [&] { members(message); });
  }

  void members(const ProfilesDictionary &tables) {
    list("mappingTable", tables.mapping_table());
    list("locationTable", tables.location_table());
    list("functionTable", tables.function_table());
    list("linkTable", tables.link_table());
    json_.attributeArray("stringTable", [&] {
      for (const std::string &string : tables.string_table())
        json_.value(string);
    });
    list("attributeTable", tables.attribute_table());
    list("stackTable", tables.stack_table());
  }
  void members(const ResourceProfiles &profiles) {
    object("resource", profiles.resource());
    list("scopeProfiles", profiles.scope_profiles());
  }
  void members(const Resource &resource) { list("attributes", resource.attributes()); }
  void members(const KeyValue &attribute) {
    text("key", attribute.key());
    object("value", attribute.value());
  }
  // A member of a oneof: present even if empty.
  void members(const AnyValue &value) { json_.attribute("stringValue", value.string_value()); }
  void members(const ScopeProfiles &profiles) {
    object("scope", profiles.scope());
    list("profiles", profiles.profiles());
  }
  void members(const Scope &scope) {
    text("name", scope.name());
    text("version", scope.version());
  }
  void members(const Profile &profile) {
    object("sampleType", profile.sample_type());
    list("samples", profile.samples());
    longNumber("timeUnixNano", profile.time_unix_nano());
    longNumber("durationNano", profile.duration_nano());
    object("periodType", profile.period_type());
    longNumber("period", profile.period());
  }
  void members(const ValueType &type) {
    number("typeStrindex", type.type_strindex());
    number("unitStrindex", type.unit_strindex());
  }
  void members(const Sample &sample) {
    number("stackIndex", sample.stack_index());
    indices("attributeIndices", sample.attribute_indices());
    number("linkIndex", sample.link_index());
    json_.attributeArray("values", [&] {
      for (int64_t value : sample.values())
        json_.value(std::to_string(value));
    });
  }
  void members(const Stack &stack) { indices("locationIndices", stack.location_indices()); }
  void members(const Mapping &mapping) { number("filenameStrindex", mapping.filename_strindex()); }
  void members(const Location &location) {
    number("mappingIndex", location.mapping_index());
    list("lines", location.lines());
    indices("attributeIndices", location.attribute_indices());
  }
  void members(const Line &line) {
    number("functionIndex", line.function_index());
    longNumber("line", line.line());
  }
  void members(const Function &function) {
    number("nameStrindex", function.name_strindex());
    number("filenameStrindex", function.filename_strindex());
    longNumber("startLine", function.start_line());
  }
  void members(const Link &link) {
    id("traceId", link.trace_id());
    id("spanId", link.span_id());
  }
  void members(const KeyValueAndUnit &attribute) {
    number("keyStrindex", attribute.key_strindex());
    if (attribute.has_value())
      object("value", attribute.value());
  }

  json::OStream json_;
};

} // namespace

void warpo::otlp::writeJson(const ProfilesData &data, raw_ostream &os) {
  MessageWriter(os).write(data);
  os << '\n';
}
