// The native subject of the benchmark, a process that reads commands from its standard input:
//
//     prepare SLOT KIND NAME=VALUE...   ready {} | skip REASON
//     result SLOT FILE                  done: a sample of what one run on fresh inputs writes
//     run SLOT COUNT                    time SECONDS, of that many runs
//     clear                             done: the memory of all slots is given back
//
// With the argument `fast` it attends with fast numerics, and has nothing else. Its first line is
// `hello` and what it is, as JSON.

#include <chrono>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/core/version.hpp"
#include "posenc/kernels/kernels.hpp"
#include "workload.hpp"

namespace {

using posenc::ConstFloats;
using posenc::bench::Maker;
using posenc::bench::Shape;
using posenc::bench::Workload;

/// At most this many elements of each tensor are compared.
constexpr std::size_t kSample = std::size_t{1} << 16;

float value_at(ConstFloats values, std::size_t index) {
  using posenc::StorageType;
  if (values.type() == StorageType::float32) return static_cast<const float*>(values.data())[index];
  if (values.type() == StorageType::float16)
    return posenc::to_float(static_cast<const posenc::Float16*>(values.data())[index]);
  return posenc::to_float(static_cast<const posenc::Bfloat16*>(values.data())[index]);
}

/// Every `step`-th element of each tensor, step odd, so that it walks through every column.
void write_sample(const std::vector<ConstFloats>& tensors, const std::string& path) {
  std::vector<float> sample;
  for (const ConstFloats& values : tensors) {
    const std::size_t step = values.size() / kSample | 1;
    sample.reserve(sample.size() + values.size() / step + 1);
    for (std::size_t i = 0; i < values.size(); i += step) sample.push_back(value_at(values, i));
  }
  std::ofstream file(path, std::ios::binary);
  const char* bytes = static_cast<const char*>(static_cast<const void*>(sample.data()));
  file.write(bytes, static_cast<std::streamsize>(sample.size() * sizeof(float)));
}

double seconds_of(const Workload& workload, std::size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) workload.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Worker {
 public:
  explicit Worker(bool fast) : fast_(fast) {
    posenc::bench::add_limits(makers_);
    posenc::bench::add_rotary(makers_);
    posenc::bench::add_additive(makers_);
    posenc::bench::add_biases(makers_);
    posenc::bench::add_relative(makers_);
    posenc::bench::add_attention(makers_);
  }

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command, slot;
    words >> command >> slot;
    if (command == "prepare") return prepare(slot, words);
    if (command == "clear") slots_.clear();
    if (command == "result") {
      std::string path;
      words >> path;
      slots_.at(slot).reset();
      slots_.at(slot).run();
      write_sample(slots_.at(slot).results(), path);
    }
    if (command != "run") return "done";
    std::size_t count = 0;
    words >> count;
    std::ostringstream text;
    text.precision(9);
    text << "time " << seconds_of(slots_.at(slot), count);
    return text.str();
  }

 private:
  std::string prepare(const std::string& slot, std::istream& words) {
    std::string kind, pair;
    words >> kind;
    const auto maker = makers_.find(kind);
    if (maker == makers_.end()) return "skip not in the native worker";
    const bool has_fast = kind == "attention" || kind.starts_with("limit_");
    if (fast_ && !has_fast) return "skip no fast numerics";
    Shape shape;
    shape.set("numerics", fast_ ? "fast" : "reproducible");
    while (words >> pair) {
      const std::size_t middle = pair.find('=');
      shape.set(pair.substr(0, middle), pair.substr(middle + 1));
    }
    Workload workload = maker->second(shape);
    if (!workload.run) return "skip not on this processor";
    slots_[slot] = std::move(workload);
    return "ready {}";
  }

  bool fast_;
  std::map<std::string, Maker> makers_;
  std::map<std::string, Workload> slots_;
};

}  // namespace

int main(int argc, char** argv) {
  std::cout << "hello {\"version\":\"posenc " << posenc::version() << "\",\"kernel\":\""
            << posenc::kernels::active().name << "\"}" << std::endl;
  Worker worker(argc > 1 && std::string_view(argv[1]) == "fast");
  std::string line;
  while (std::getline(std::cin, line)) {
    try {
      std::cout << worker.answer(line) << std::endl;
    } catch (const std::exception& error) {
      std::cout << "error " << error.what() << std::endl;
    }
  }
}
