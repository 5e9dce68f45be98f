#pragma once

// A workload of the worker: memory made ready once, then work that can be repeated.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "data.hpp"
#include "posenc/posenc.hpp"

namespace posenc::bench {

/// The sizes and words of a workload, as workloads.mjs names them. What is asked for must be there.
class Shape {
 public:
  void set(const std::string& name, const std::string& value) { values_[name] = value; }
  const std::string& word(const std::string& name) const { return values_.at(name); }
  std::size_t size(const std::string& name) const { return std::stoull(word(name)); }

 private:
  std::map<std::string, std::string> values_;
};

/// Closures that share the workload's memory.
struct Workload {
  /// Brings back the inputs that `run` changes.
  std::function<void()> reset = [] {};
  std::function<void()> run;
  /// What `run` wrote.
  std::function<std::vector<ConstFloats>()> results;
};

using Maker = Workload (*)(const Shape& shape);

/// The makers of each family by the kind of the workload.
void add_limits(std::map<std::string, Maker>& makers);
void add_rotary(std::map<std::string, Maker>& makers);
void add_additive(std::map<std::string, Maker>& makers);
void add_biases(std::map<std::string, Maker>& makers);
void add_relative(std::map<std::string, Maker>& makers);
void add_attention(std::map<std::string, Maker>& makers);

}  // namespace posenc::bench
