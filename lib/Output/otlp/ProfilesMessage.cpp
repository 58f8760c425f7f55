//===- ProfilesMessage.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ProfilesMessage.h"
#include "Dictionary.h"
#include "FrameTypes.h"
#include "TraceParent.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Stacks, unique by their frames whatever contexts they come from. Only stacks of samples enter
/// the dictionary.
class Stacks {
public:
  static constexpr uint32_t empty = 0;

  explicit Stacks(otlp::Dictionary &dictionary) : dictionary_(dictionary) {}

  /// `caller` plus an inner frame.
  uint32_t add(uint32_t caller, int32_t location) {
    auto [entry, isNew] =
        known_.try_emplace({caller, uint32_t(location)}, uint32_t(stacks_.size()));
    if (isNew)
      stacks_.push_back({caller, location});
    return entry->second;
  }

  int32_t indexOf(uint32_t stack) {
    int32_t &index = stacks_[stack].index;
    if (stack == empty || index != 0)
      return index;
    std::vector<int32_t> locations;
    for (uint32_t at = stack; at != empty; at = stacks_[at].caller)
      locations.push_back(stacks_[at].location);
    return index = dictionary_.newStack(locations);
  }

private:
  struct Stack {
    uint32_t caller = empty;
    int32_t location = 0;
    /// Index in the dictionary; 0: not in there yet.
    int32_t index = 0;
  };

  otlp::Dictionary &dictionary_;
  std::vector<Stack> stacks_{1};
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> known_;
};

/// Sets of attributes, each a sorted list of indices into the dictionary.
class AttributeSets {
public:
  static constexpr uint32_t empty = 0;

  /// `set` plus an attribute, which it may already contain.
  uint32_t add(uint32_t set, int32_t attribute) {
    std::vector<int32_t> wider = sets_[set];
    auto place = lower_bound(wider, attribute);
    if (place == wider.end() || *place != attribute)
      wider.insert(place, attribute);
    auto [entry, isNew] = known_.try_emplace(wider, uint32_t(sets_.size()));
    if (isNew)
      sets_.push_back(std::move(wider));
    return entry->second;
  }

  ArrayRef<int32_t> operator[](uint32_t set) const { return sets_[set]; }

private:
  std::vector<std::vector<int32_t>> sets_{1};
  std::map<std::vector<int32_t>, uint32_t> known_{{{}, empty}};
};

class MessageBuilder {
public:
  MessageBuilder(const ContextList &list, const Profile &profile, const OutputOrigin &origin)
      : list_(list), profile_(profile), origin_(origin), dictionary_(*data_.mutable_dictionary()),
        types_(profile), stacks_(dictionary_), frames_(list.frames().size()),
        values_(list.weights().size()) {}

  Expected<otlp::ProfilesData> build() {
    otlp::ResourceProfiles &resource = *data_.add_resource_profiles();
    if (Error error = addLabels(*resource.mutable_resource()))
      return error;
    otlp::ScopeProfiles &scope = *resource.add_scope_profiles();
    scope.mutable_scope()->set_name("warpo");
    scope.mutable_scope()->set_version(WARPO_VERSION_STRING);
    addSamples();
    for (size_t weight = 0; weight < list_.weights().size(); ++weight)
      addProfile(*scope.add_profiles(), weight);
    return std::move(data_);
  }

private:
  static constexpr uint32_t noFrame = std::numeric_limits<uint32_t>::max();

  /// The state inherited by the callees of a context.
  struct Place {
    uint32_t stack = Stacks::empty;
    /// The innermost frame that names a span.
    uint32_t spanFrame = noFrame;
    uint32_t attributes = AttributeSets::empty;
    /// The innermost frame that becomes an attribute.
    uint32_t attributeFrame = noFrame;
  };

  /// Samples that agree in this are merged.
  struct Identity {
    uint32_t stack;
    int32_t link;
    uint32_t attributes;

    auto operator<=>(const Identity &) const = default;
  };

  /// What a frame contributes to the samples below it.
  struct StackFrame {
    std::optional<otlp::TraceParent> span;
    /// None for a section that only names a span, and for a frame that becomes an attribute of
    /// samples.
    std::optional<int32_t> location;
    /// 0: none.
    int32_t attribute = 0;
  };

  Error addLabels(otlp::Resource &resource) {
    std::vector<std::string> keys;
    for (const OutputLabel &label : origin_.labels) {
      std::string key = StringSwitch<std::string>(label.key)
                            .Case("host", "host.name")
                            .Case("service", "service.name")
                            .Default(displayName(label.key));
      if (is_contained(keys, key))
        return makeError("two labels are the attribute '" + key + "'");
      otlp::KeyValue &attribute = *resource.add_attributes();
      attribute.set_key(key);
      attribute.mutable_value()->set_string_value(displayName(label.value));
      keys.push_back(std::move(key));
    }
    return Error::success();
  }

  /// Created on first use, so that the dictionary has no unused entries.
  const StackFrame &frameAt(uint32_t index) {
    std::optional<StackFrame> &known = frames_[index];
    if (known)
      return *known;
    const Frame &frame = list_.frames()[index];
    StackFrame &added = known.emplace(otlp::TraceParent::of(frame.name));
    if (!frame.attribute.empty()) {
      added.attribute = dictionary_.attribute(frame.attribute, frame.name);
      return added;
    }
    StringRef name = added.span ? added.span->section : StringRef(frame.name);
    if (!name.empty())
      added.location = locationOf(frame, name);
    return added;
  }

  int32_t locationOf(const Frame &frame, StringRef name) {
    bool wasExecuted = frame.executedLine != 0;
    bool beginsThere = !wasExecuted || frame.executedFile == frame.file;
    int32_t function = dictionary_.function(name, wasExecuted ? frame.executedFile : frame.file,
                                            beginsThere ? frame.line : 0);
    StringRef type = types_.of(frame);
    return dictionary_.location(
        dictionary_.mapping(frame.module), function, wasExecuted ? frame.executedLine : frame.line,
        type.empty() ? 0 : dictionary_.attribute("profile.frame.type", type));
  }

  int32_t linkOf(uint32_t spanFrame) {
    if (spanFrame == noFrame)
      return 0;
    const otlp::TraceParent &span = *frames_[spanFrame]->span;
    return dictionary_.link(span.traceId, span.spanId);
  }

  bool isZero(size_t context, std::vector<uint64_t> WeightColumn::*amounts) const {
    return all_of(list_.weights(),
                  [&](const WeightColumn &weight) { return (weight.*amounts)[context] == 0; });
  }

  void addSamples() {
    ArrayRef<ListedContext> contexts = list_.contexts();
    std::map<Identity, size_t> known;
    std::vector<Place> places(contexts.size());
    for (size_t i = 0; i < contexts.size(); ++i) {
      if (isZero(i, &WeightColumn::inclusive))
        continue;
      Place &place = places[i];
      if (contexts[i].caller != ListedContext::noCaller)
        place = places[contexts[i].caller];
      const StackFrame &frame = frameAt(contexts[i].frame);
      if (frame.location)
        place.stack = stacks_.add(place.stack, *frame.location);
      if (frame.span)
        place.spanFrame = contexts[i].frame;
      if (frame.attribute != 0) {
        place.attributes = attributeSets_.add(place.attributes, frame.attribute);
        place.attributeFrame = contexts[i].frame;
      }
      if (isZero(i, &WeightColumn::self))
        continue;
      Identity sample{place.stack, linkOf(place.spanFrame), place.attributes};
      // Without this, self time of a frame that becomes an attribute would have no stack.
      if (sample.stack == Stacks::empty && place.attributeFrame != noFrame) {
        const Frame &alone = list_.frames()[place.attributeFrame];
        sample.stack = stacks_.add(Stacks::empty, locationOf(alone, alone.name));
      }
      auto [entry, isNew] = known.try_emplace(sample, samples_.size());
      if (isNew) {
        samples_.push_back(sample);
        for (std::vector<uint64_t> &values : values_)
          values.push_back(0);
      }
      for (auto [values, weight] : zip(values_, list_.weights()))
        values[entry->second] = SaturatingAdd(values[entry->second], weight.self[i]);
    }
  }

  void setType(otlp::ValueType &type, StringRef name, StringRef unit) {
    type.set_type_strindex(dictionary_.string(name));
    type.set_unit_strindex(dictionary_.string(unit == "ns"   ? "nanoseconds"
                                              : unit == name ? "count"
                                                             : unit));
  }

  void addProfile(otlp::Profile &profile, size_t index) {
    const WeightColumn &weight = list_.weights()[index];
    setType(*profile.mutable_sample_type(), weight.name, weight.unit);
    if (const auto &period = profile_.samplePeriod) {
      setType(*profile.mutable_period_type(), period->name, period->unit);
      profile.set_period(int64_t(std::min(period->amount, maxValue)));
    } else {
      // Exact sums, so a period of 1. Some readers ignore a profile without a period.
      *profile.mutable_period_type() = profile.sample_type();
      profile.set_period(1);
    }
    if (const std::optional<TimeWindow> &window = origin_.window) {
      profile.set_time_unix_nano(window->begin);
      profile.set_duration_nano(window->end - window->begin);
    }
    for (size_t i = 0; i < samples_.size(); ++i) {
      if (values_[index][i] == 0)
        continue;
      otlp::Sample &sample = *profile.add_samples();
      sample.set_stack_index(stacks_.indexOf(samples_[i].stack));
      sample.set_link_index(samples_[i].link);
      for (int32_t attribute : attributeSets_[samples_[i].attributes])
        sample.add_attribute_indices(attribute);
      sample.add_values(int64_t(std::min(values_[index][i], maxValue)));
    }
  }

  static constexpr uint64_t maxValue = std::numeric_limits<int64_t>::max();

  const ContextList &list_;
  const Profile &profile_;
  const OutputOrigin &origin_;
  otlp::ProfilesData data_;
  otlp::Dictionary dictionary_;
  otlp::FrameTypes types_;
  Stacks stacks_;
  AttributeSets attributeSets_;
  std::vector<std::optional<StackFrame>> frames_;
  std::vector<Identity> samples_;
  /// By weight, then sample.
  std::vector<std::vector<uint64_t>> values_;
};

} // namespace

Expected<otlp::ProfilesData> otlp::profilesMessage(const ContextList &list,
                                                   const warpo::Profile &profile,
                                                   const OutputOrigin &origin) {
  return MessageBuilder(list, profile, origin).build();
}
