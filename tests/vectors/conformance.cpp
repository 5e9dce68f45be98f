// The native vector evaluator: conformance FILE.json prints the outputs of every case, in order, as
// a JSON array. tests/js/conformance.mjs prints the same text through the npm package.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "conformance/case.hpp"
#include "conformance/families.hpp"
#include "posenc/core/status.hpp"

namespace posenc::conformance {
namespace {

const Family& family_of(const std::string& name) {
  for (const auto& group :
       {additive_families(), grid_families(), rotary_families(), bias_families(),
        bias_more_families(), relative_families(), contextual_families(), attention_families(),
        attention_more_families(), attention_gradient_families()}) {
    for (const Family& family : group) {
      if (family.name == name) return family;
    }
  }
  unsupported("family " + Json(name).dump() + " is not supported");
}

std::string error_json(const std::string& code, const std::string& message) {
  return "\"error\":{\"code\":" + Json(code).dump() + ",\"message\":" + Json(message).dump() + "}";
}

/// "outputs" or "error" of one case, never an exception.
std::string evaluate(const Json& json) {
  try {
    if (!json.is_object()) malformed("a case must be an object");
    Case c(json);
    family_of(c.family()).evaluate(c);
    c.finish();
    return "\"outputs\":" + c.outputs();
  } catch (const CaseError& error) {
    return error_json(error.code, error.message);
  } catch (const Error& error) {
    return error_json(std::string(code_name(error.status().code())), error.what());
  } catch (const std::bad_alloc&) {
    return error_json("OUT_OF_MEMORY", "out of memory");
  }
}

void print_all(const Json& cases) {
  const char* separator = "[\n";
  for (const Json& json : cases) {
    const bool named = json.is_object() && json.contains("name") && json["name"].is_string();
    const std::string name = named ? json["name"].get<std::string>() : "";
    const std::string line = "{\"name\":" + Json(name).dump() + "," + evaluate(json) + "}";
    std::fputs(separator, stdout);
    std::fwrite(line.data(), 1, line.size(), stdout);
    separator = ",\n";
  }
  std::fputs(cases.empty() ? "[]\n" : "\n]\n", stdout);
}

int run(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json cases = file ? Json::parse(text, nullptr, false) : Json();
  if (!cases.is_array()) {
    std::fprintf(stderr, "conformance: %s is no JSON array of cases\n", path);
    return 1;
  }
  print_all(cases);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace posenc::conformance

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: conformance FILE.json\n", stderr);
    return 2;
  }
  return posenc::conformance::run(argv[1]);
}
