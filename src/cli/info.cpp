// posenc info: the version, and which kernels compute the numbers.

#include <cstdlib>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "posenc/core/version.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::cli {
namespace {

/// The names of the kernels of this build and processor, best first.
std::string kernel_names(const std::string& quote, const std::string& separator) {
  std::string names;
  for (const kernels::Kernels* kernels : kernels::available()) {
    if (!names.empty()) names += separator;
    names.append(quote).append(kernels->name).append(quote);
  }
  return names;
}

struct InfoOptions {
  bool json = false;
  bool kernels = false;
};

std::string describe(const InfoOptions& options) {
  const std::string current(kernel_name());
  if (options.kernels) return kernel_names("", "\n") + "\n";
  if (options.json) {
    return "{\"version\":\"" + std::string(version()) + "\",\"kernel\":\"" + current +
           "\",\"kernels\":[" + kernel_names("\"", ",") + "]}\n";
  }
  return "version  " + std::string(version()) + "\nkernel   " + current + "\nkernels  " +
         kernel_names("", " ") +
         "\n\nAll kernels give the same bits. The environment variable POSENC_KERNEL names another "
         "one.\n";
}

}  // namespace

void use_requested_kernel() {
  const char* name = std::getenv("POSENC_KERNEL");
  if (name == nullptr || kernels::use(name)) return;
  throw UsageError("POSENC_KERNEL must be one of " + kernel_names("", ", ") +
                   " on this machine, got '" + name + "'");
}

void add_info(CLI::App& app) {
  CLI::App& info = *app.add_subcommand("info", "Print the version and the kernels in use");
  const auto options = std::make_shared<InfoOptions>();
  CLI::Option* json = info.add_flag("--json", options->json, "Print JSON");
  info.add_flag("--kernels", options->kernels, "Print the kernels' names alone, one per line")
      ->excludes(json);
  info.callback([options] {
    Output output("-");
    output.write(describe(*options));
    output.commit();
  });
}

}  // namespace posenc::cli
