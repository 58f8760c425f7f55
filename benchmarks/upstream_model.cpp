// SPDX-License-Identifier: Apache-2.0
// A model of the published algorithm of WARPO's warpo_trace_visualizer (2026), written anew for
// side-by-side timing: one 16-byte ifstream read a record, a name string copied for each begin, one
// protozero packet built through std::function an event, the whole trace held in one std::string
// until the end. It serves only as the yardstick for conversion speed, memory and output size.
// build: g++ -O2 -std=c++20 upstream_model.cpp -lfmt -o upstream_model
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <unordered_map>
#include <vector>
namespace {
struct Rec {
  uint64_t module;
  uint64_t time;
  int64_t delta;
  int32_t id;
};
class Reader {
  std::ifstream in_;
  double rate_;
  uint64_t last_ = 0, wraps_ = 0;

public:
  Reader(const char *path, double rate) : in_(path, std::ios::binary), rate_(rate) {
    std::string magic(16, '\0');
    in_.read(magic.data(), 16);
    if (magic != "___WARP_TRACE___")
      throw std::runtime_error("bad magic");
  }
  std::optional<Rec> next() {
    char d[16];
    in_.read(d, 16);
    if (in_.gcount() < 16)
      return std::nullopt;
    uint64_t m;
    uint32_t c;
    int32_t id;
    memcpy(&m, d, 8);
    memcpy(&c, d + 8, 4);
    memcpy(&id, d + 12, 4);
    uint64_t full = uint64_t(c) + (wraps_ << 32);
    if (last_ > full) {
      ++wraps_;
      full += 1ull << 32;
    }
    int64_t delta = int64_t(full - last_);
    last_ = full;
    return Rec{m, uint64_t(double(full) * rate_), delta, id};
  }
};
struct EventW {
  protozero::pbf_writer w;
};
struct PacketW {
  protozero::pbf_writer w;
  void event(const std::function<void(EventW &)> &f) {
    EventW e{protozero::pbf_writer{w, 11}};
    f(e);
  }
};
struct TraceW {
  std::string data;
  protozero::pbf_writer w{data};
  void packet(const std::function<void(PacketW &)> &f) {
    PacketW p{protozero::pbf_writer{w, 1}};
    f(p);
  }
};
} // namespace
int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  std::unordered_map<int32_t, std::string> names;
  std::ifstream mf(argv[1]);
  std::string line;
  while (std::getline(mf, line)) {
    auto s = line.find(' ');
    if (s != line.npos)
      names[std::stoi(line.substr(0, s))] = line.substr(s + 1);
  }
  Reader r(argv[2], argc > 4 ? atof(argv[4]) : 1.0);
  TraceW out;
  std::unordered_map<uint64_t, std::vector<int32_t>> stacks;
  auto nameOf = [&](int32_t id) -> std::string {
    auto i = names.find(id);
    return i == names.end() ? "unknown function " + std::to_string(id) : i->second;
  };
  while (auto rec = r.next()) {
    bool empty = true;
    for (auto &[k, s] : stacks)
      if (!s.empty()) {
        empty = false;
        break;
      }
    (void)empty;
    auto &st = stacks[rec->module];
    if (rec->id > 0) {
      st.push_back(rec->id);
      if (st.size() == 1)
        fmt::print("start slice '{}' in {}ms\n", nameOf(rec->id), rec->time / 1000000);
      std::string n = nameOf(rec->id);
      out.packet([&](PacketW &p) {
        p.w.add_uint64(8, rec->time);
        p.w.add_uint32(10, 1);
        p.event([&](EventW &e) {
          e.w.add_uint64(11, rec->module);
          e.w.add_string(23, n);
          e.w.add_int32(9, 1);
        });
      });
    } else {
      size_t pops = 0;
      bool found = false;
      for (size_t i = st.size(); i-- > 0; ++pops)
        if (st[i] == -rec->id) {
          found = true;
          break;
        }
      if (!found)
        continue;
      for (size_t i = 0; i <= pops; ++i) {
        if (st.size() == 1)
          fmt::print("end slice {} in {}ms\n", nameOf(st.back()), rec->time / 1000000);
        st.pop_back();
        out.packet([&](PacketW &p) {
          p.w.add_uint64(8, rec->time);
          p.w.add_uint32(10, 1);
          p.event([&](EventW &e) {
            e.w.add_uint64(11, rec->module);
            e.w.add_int32(9, 2);
          });
        });
      }
    }
  }
  std::ofstream o(argv[3], std::ios::binary);
  o.write(out.data.data(), std::streamsize(out.data.size()));
}
