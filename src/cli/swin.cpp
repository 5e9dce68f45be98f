#include "posenc/bias/swin.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct SwinOptions {
  std::string table;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  OutputOptions output;
};

void run(const SwinOptions& options) {
  const FileTensor table =
      read_tensor(options.table, "(2 height - 1) * (2 width - 1), heads", TableKind::swin);
  const Swin swin({.window_height = options.height,
                   .window_width = options.width,
                   .heads = table.columns(),
                   .table = table.data});
  const std::uint64_t cells = std::uint64_t{options.height} * options.width;
  write_whole(
      {table.columns(), cells, cells}, [&](std::span<float> out) { return swin.bias(out); },
      options.output);
}

}  // namespace

void add_swin(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("swin", "A trained value per 2-D offset within a window");
  const auto options = std::make_shared<SwinOptions>();
  add_place(app, "--table", options->table,
            "The trained table [(2 height - 1) * (2 width - 1), heads]")
      ->required();
  add_whole(app, "--height", options->height, "Rows of a window")->required();
  add_whole(app, "--width", options->width, "Columns of a window")->required();
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
