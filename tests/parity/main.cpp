// Runs the verbs over a grid of configs and shapes and prints a line per case: its name and a hash
// of the bits that came out. Builds that print the same lines agree bit for bit.
//
//   parity [--kernel NAME] [--only VERB] [--spoil VERB]    a line per case
//   parity --dump CASE [--kernel NAME] [--spoil VERB]      what goes in and out of one case
//   parity --kernels                                       the kernels that can run here
//   parity --verbs                                         the verbs

#include <cstdio>
#include <cstring>

#include "cases.hpp"
#include "posenc/kernels/kernels.hpp"

namespace {

using posenc::parity::Cases;
using posenc::parity::Verb;

struct Arguments {
  bool list_kernels = false;
  bool list_verbs = false;
  std::string kernel;
  std::string only;
  Cases::Options options;
};

bool parse(std::span<char*> words, Arguments& arguments) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    std::string* value = word == "--kernel"  ? &arguments.kernel
                         : word == "--only"  ? &arguments.only
                         : word == "--spoil" ? &arguments.options.spoil
                         : word == "--dump"  ? &arguments.options.dump
                                             : nullptr;
    if (value != nullptr && i + 1 < words.size()) {
      *value = words[++i];
    } else if (word == "--kernels") {
      arguments.list_kernels = true;
    } else if (word == "--verbs") {
      arguments.list_verbs = true;
    } else {
      std::fprintf(stderr, "parity: unknown or incomplete argument: %s\n", words[i]);
      return false;
    }
  }
  return true;
}

template <class Visit>
void for_each_verb(const Visit& visit) {
  for (const auto verbs : posenc::parity::kFamilies) {
    for (const Verb& verb : verbs()) visit(verb);
  }
}

int run(const Arguments& arguments) {
  std::size_t problems = 0;
  for_each_verb([&](const Verb& verb) {
    const std::string& dump = arguments.options.dump;
    if (!arguments.only.empty() && arguments.only != verb.name) return;
    if (!dump.empty() && !dump.starts_with(std::string(verb.name) + "/")) return;
    Cases cases(verb.name, arguments.options);
    verb.cases(cases);
    problems += cases.problems();
  });
  return problems == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  Arguments arguments;
  if (!parse({words, static_cast<std::size_t>(count)}, arguments)) return 2;
  if (arguments.list_kernels) {
    for (const auto* kernels : posenc::kernels::available()) std::puts(kernels->name);
    return 0;
  }
  if (arguments.list_verbs) {
    for_each_verb([](const Verb& verb) { std::puts(verb.name); });
    return 0;
  }
  if (!arguments.kernel.empty() && !posenc::kernels::use(arguments.kernel)) {
    std::fprintf(stderr, "parity: no kernels named %s here\n", arguments.kernel.c_str());
    return 2;
  }
  return run(arguments);
}
