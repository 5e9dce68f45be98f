#include "posenc/bias/swin.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

template <class Call>
void for_each_window(const Call& call) {
  std::size_t index = 0;
  for (const std::size_t height : sizes_to(5, {7})) {
    for (const std::size_t width : sizes_to(6, {8})) {
      const std::size_t heads = 1 + index++ % 4;
      Label label;
      call(label("height", height)("width", width)("heads", heads),
           SwinConfig{.window_height = height, .window_width = width, .heads = heads});
    }
  }
}

void index(Cases& cases) {
  for_each_window([&](const Label& label, const SwinConfig& config) {
    cases.add(label, [&](Case& one) {
      const std::size_t cells = config.window_height * config.window_width;
      std::vector<std::int32_t> rows(cells * cells);
      one.succeed(Swin(config).index(rows));
      one.result("rows", std::span<const std::int32_t>(rows));
    });
  });
}

void bias(Cases& cases) {
  for_each_window([&](const Label& label, SwinConfig config) {
    cases.add_stored(label, [&](Case& one) {
      const std::size_t height = config.window_height, width = config.window_width;
      config.table = one.input("table", {(2 * height - 1) * (2 * width - 1), config.heads});
      const auto out = one.output("out", {config.heads, height * width, height * width});
      one.succeed(Swin(config).bias(out));
    });
  });
}

}  // namespace

std::span<const Verb> swin_verbs() {
  static constexpr Verb kVerbs[] = {{"swin.index", index}, {"swin.bias", bias}};
  return kVerbs;
}

}  // namespace posenc::parity
