// Mutations of published models' configs: each must give encodings or a named error, within a
// second and 64 MB.
//
//   fuzz_models FILE... [--seed N] [--count N]
//
// A FILE is an array of objects with a `config`, or with the text itself as `raw`.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "counted_memory.hpp"
#include "posenc/model/explain.hpp"

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr double kMostSeconds = 1.0;

std::vector<std::string> read_configs(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const auto cases = nlohmann::json::parse(file, nullptr, false);
  std::vector<std::string> texts;
  if (!cases.is_array()) return texts;
  texts.reserve(cases.size());
  for (const auto& one : cases) {
    if (one.contains("raw")) texts.push_back(one["raw"].get<std::string>());
    if (one.contains("config")) texts.push_back(one["config"].dump());
  }
  return texts;
}

/// Values that are often taken for granted not to occur.
constexpr std::string_view kOdd[] = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "-1",
                                     "1",
                                     "2",
                                     "3",
                                     "1.5",
                                     "1e308",
                                     "1e999",
                                     "-0.0",
                                     "NaN",
                                     "Infinity",
                                     "\"\"",
                                     "\"yarn\"",
                                     "[]",
                                     "{}",
                                     "[1,2,3]",
                                     "1e-308",
                                     "4096",
                                     "[[[]]]",
                                     "\"su\"",
                                     "\"longrope\"",
                                     "64",
                                     "65",
                                     "16777217",
                                     "[0,0]",
                                     "-1e9",
                                     "\"bert\"",
                                     "1e18",
                                     "9223372036854775807",
                                     "\"t5\"",
                                     "\"\\u0000\"",
                                     "{\"a\":1,\"a\":2}",
                                     "18446744073709551616",
                                     "[null]",
                                     "\"c2p|p2c\""};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text, const std::vector<std::string>& others) {
    for (std::size_t times = below(4) + 1; times > 0; --times) one(text, others);
    return text;
  }

  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>(random_() % (limit == 0 ? 1 : limit));
  }

 private:
  void one(std::string& text, const std::vector<std::string>& others) {
    if (text.empty()) text = "{}";
    const std::size_t at = below(text.size());
    // Most keep the text JSON, so that rules see it and not the parser alone.
    switch (below(32)) {
      case 0:
        text[at] = static_cast<char>(random_());
        break;
      case 1:
        text.erase(at, below(20) + 1);
        break;
      case 2:
        text.resize(at);
        break;
      case 3: {  // a piece of another config
        const std::string& other = others[below(others.size())];
        const std::size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, below(200)));
        break;
      }
      case 4:
      case 5:
      case 6:
      case 7:
        text.insert(1 % text.size(), member(others));
        break;
      case 8:
      case 9:
      case 10:
      case 11:
        rename(text, at, others);
        break;
      default:
        replace_value(text, at);
    }
  }

  /// Where the value that begins there ends: before the comma or bracket behind it.
  static std::size_t end_of_value(const std::string& text, std::size_t at) {
    std::size_t depth = 0;
    for (bool quoted = false; at < text.size(); ++at) {
      const char c = text[at];
      if (quoted && c == '\\') {
        ++at;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '{' || c == '[')) {
        ++depth;
      } else if (!quoted && depth == 0 && (c == ',' || c == '}' || c == ']')) {
        return at;
      } else if (!quoted && (c == '}' || c == ']')) {
        --depth;
      }
    }
    return text.size();
  }

  /// The colon behind some key.
  static std::size_t colon_of_key(const std::string& text, std::size_t at) {
    const std::size_t found = text.find("\":", at);
    return found != std::string::npos ? found + 1 : text.find(':');
  }

  /// A value becomes an odd one.
  void replace_value(std::string& text, std::size_t at) {
    const std::size_t colon = colon_of_key(text, at);
    if (colon == std::string::npos) return;
    const std::size_t end = end_of_value(text, colon + 1);
    text.replace(colon + 1, end - colon - 1, kOdd[below(std::size(kOdd))]);
  }

  /// A key becomes one of another config, with its own value still.
  void rename(std::string& text, std::size_t at, const std::vector<std::string>& others) {
    const std::string other = member(others);
    const std::size_t colon = colon_of_key(text, at);
    if (other.empty() || colon == std::string::npos || colon < 2) return;
    const std::size_t quote = text.rfind('"', colon - 2);
    if (quote == std::string::npos) return;
    text.replace(quote, colon - quote, other.substr(0, other.find("\":") + 1));
  }

  /// A member of another config with an odd value: `"rope_theta":NaN,`
  std::string member(const std::vector<std::string>& others) {
    const std::string& other = others[below(others.size())];
    const std::size_t colon = other.find("\":", below(other.size() + 1));
    if (colon == std::string::npos || colon == 0) return "";
    const std::size_t quote = other.rfind('"', colon - 1);
    if (quote == std::string::npos) return "";
    return other.substr(quote, colon - quote + 2).append(kOdd[below(std::size(kOdd))]).append(",");
  }

  std::mt19937_64 random_;
};

struct Tally {
  std::size_t read = 0;
  std::size_t refused = 0;
  std::size_t no_json = 0;
  std::size_t failures = 0;
  double seconds = 0.0;
  std::size_t bytes = 0;
};

void fail(Tally& tally, const char* what, const std::string& text) {
  ++tally.failures;
  std::printf("FAILED: %s\n%s\n", what, text.c_str());
}

void judge(const std::string& text, Tally& tally) {
  auto& memory = posenc::fuzz::counted_memory();
  const std::size_t before = memory.now;
  memory.restart();
  const auto start = std::chrono::steady_clock::now();
  {
    const auto reading = posenc::Model::read(text);
    std::string told;
    posenc::explain_value(reading).append_json(told);
    told += posenc::explain_page(reading, "mutated");
    ++(reading.ok() ? tally.read : tally.refused);
    if (!reading.ok() && reading.error().code == posenc::FindingCode::json_syntax) ++tally.no_json;
    if (!reading.ok() && (reading.error().field.empty() || reading.error().message.empty())) {
      fail(tally, "an error without a field or a message", text);
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  tally.seconds = std::max(tally.seconds, took.count());
  tally.bytes = std::max(tally.bytes, memory.most - before);
  if (took.count() > kMostSeconds) fail(tally, "more than a second", text);
  if (memory.most - before > kMostBytes) fail(tally, "more than 64 MB", text);
  if (memory.now != before) fail(tally, "memory was not given back", text);
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t seed = 1;
  std::size_t trials = 2000;
  std::vector<std::string> texts;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--seed" && i + 1 < count) {
      seed = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--count" && i + 1 < count) {
      trials = static_cast<std::size_t>(std::strtoull(words[++i], nullptr, 10));
    } else {
      for (std::string& text : read_configs(words[i])) texts.push_back(std::move(text));
    }
  }
  if (texts.empty()) {
    std::fputs("fuzz_models FILE... [--seed N] [--count N]\n", stderr);
    return 2;
  }
  std::printf("seed %llu, %zu configs\n", static_cast<unsigned long long>(seed), texts.size());
  Tally tally;
  Mutator mutator(seed);
  for (std::size_t i = 0; i < trials; ++i) {
    judge(mutator.mutate(texts[mutator.below(texts.size())], texts), tally);
  }
  std::printf("%zu read, %zu refused (%zu are no JSON), %zu failures; at most %.3f s and %.1f MB\n",
              tally.read, tally.refused, tally.no_json, tally.failures, tally.seconds,
              static_cast<double>(tally.bytes) / (1 << 20));
  return tally.failures == 0 ? 0 : 1;
}
