#include <memory>

#include "workload.hpp"

namespace posenc::bench {
namespace {

Workload sinusoidal(const Shape& shape) {
  struct State {
    Sinusoidal encoding;
    Buffer<float> out;
  };
  const std::size_t length = shape.size("length"), dim = shape.size("dim");
  const SinusoidalLayout layout =
      shape.word("layout") == "half" ? SinusoidalLayout::half : SinusoidalLayout::interleaved;
  auto state = std::make_shared<State>(State{.encoding = Sinusoidal({.dim = dim, .layout = layout}),
                                             .out = Buffer<float>(length * dim)});
  Workload workload;
  workload.run = [state, length] {
    state->encoding.table(Positions::from(0, length), state->out).or_throw();
  };
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->out}; };
  return workload;
}

Workload learned(const Shape& shape) {
  struct State {
    Buffer<float> rows, x;
  };
  const std::size_t length = shape.size("length"), dim = shape.size("dim");
  auto state = std::make_shared<State>(
      State{.rows = data(length * dim, 2), .x = Buffer<float>(length * dim)});
  const auto encoding = std::make_shared<Learned>(LearnedConfig{.rows = state->rows, .dim = dim});
  Workload workload;
  workload.reset = [state] { fill(state->x, 1); };
  workload.run = [state, encoding, length] {
    encoding->add(Positions::from(0, length), state->x).or_throw();
  };
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->x}; };
  workload.reset();
  return workload;
}

/// Bicubic, from a square grid to a larger one.
Workload resize(const Shape& shape) {
  struct State {
    Interpolate interpolate;
    Buffer<float> table, out;
    std::vector<double> workspace;
  };
  const std::size_t from = shape.size("from"), to = shape.size("to"), dim = shape.size("dim");
  auto state = std::make_shared<State>(State{
      .interpolate = Interpolate(
          {.from_height = from, .from_width = from, .to_height = to, .to_width = to, .dim = dim}),
      .table = data(from * from * dim),
      .out = Buffer<float>(to * to * dim),
      .workspace = {}});
  state->workspace.resize(state->interpolate.workspace_size());
  Workload workload;
  workload.run = [state] {
    state->interpolate.apply(state->table, state->workspace, state->out).or_throw();
  };
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->out}; };
  return workload;
}

}  // namespace

void add_additive(std::map<std::string, Maker>& makers) {
  makers["sinusoidal"] = sinusoidal;
  makers["learned"] = learned;
  makers["resize"] = resize;
}

}  // namespace posenc::bench
