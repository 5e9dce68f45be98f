// What surrounds Transformer-XL's scores: projected rows, segments, and the relative shift.

#include "content.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct PartsCall {
  static constexpr const char* kEncoding = "transformer_xl";

  TransformerXlConfig config;
  Content content;
  ConstFloats rows, weight, x;
  Floats projected, shifted;
  std::vector<std::int32_t> query_segments, key_segments;
  double scale = 0.25;
  enum class Verb : std::uint8_t { project, add_segments, relative_shift } verb = Verb::project;

  static PartsCall valid(Trial& trial) {
    PartsCall call;
    TransformerXlConfig& config = call.config;
    const std::size_t heads = trial.size(1, 3), width = trial.size(1, 9);
    config.heads = heads;
    config.head_dim = width;
    config.d_model = 2 * trial.size(1, 20);
    config.content_bias = trial.data(heads * width);
    config.position_bias = trial.data(heads * width);
    config.segment_bias = trial.data(heads * width);
    config.segment_embedding = trial.data(2 * heads * width);
    call.content = Content::of(trial, heads, width);
    const std::size_t count = trial.size(1, 5);
    call.rows = trial.data(count * config.d_model);
    call.weight = trial.data(config.d_model * heads * width);
    call.projected = trial.data(heads * count * width);
    call.x = trial.data(call.content.query_count * call.content.key_count);
    call.shifted = trial.data(call.x.size());
    call.query_segments.resize(call.content.query_count);
    call.key_segments.resize(call.content.key_count);
    for (auto& id : call.query_segments) id = static_cast<std::int32_t>(trial.size(0, 2));
    for (auto& id : call.key_segments) id = static_cast<std::int32_t>(trial.wild_whole());
    call.verb = static_cast<Verb>(trial.random().below(3));
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (verb) {
      case Verb::project:
        return spoil_projection(trial);
      case Verb::add_segments:
        return spoil_segments(trial);
      case Verb::relative_shift:
        break;
    }
    if (trial.random().one_in(2)) {
      shifted = resized(shifted, shifted.size() - 1);
      return {Code::shape, "out"};
    }
    x = resized(shifted, x.size());
    return {Code::overlap, "out"};
  }

  Refusal spoil_projection(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        rows = resized(rows, rows.size() - 1);
        return {Code::shape, "rows"};
      case 1:
        weight = resized(weight, weight.size() - 1);
        return {Code::shape, "weight"};
      case 2:
        if (rows.size() > projected.size()) return {};
        rows = resized(projected, rows.size());
        return {Code::overlap, "out"};
      default:
        projected = resized(projected, projected.size() - 1);
        return {Code::shape, "out"};
    }
  }

  Refusal spoil_segments(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        config.segment_embedding = {};
        config.segment_bias = {};
        return {Code::shape};
      case 1:
        scale = trial.random().one_in(2) ? kNan : kInfinity;
        return {Code::value_range, "scale"};
      case 2:
        query_segments.pop_back();
        return {Code::shape};
      default:
        return content.spoil(trial);
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.head_dim, &config.d_model, &content.query_count,
                            &content.key_count};
    if (trial.random().one_in(3)) {
      scale = trial.wild_real();
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }

  Status run() const {
    if (verb == Verb::relative_shift) {
      return relative_shift(x, content.query_count, content.key_count, shifted);
    }
    const Result<TransformerXl> made = make(config);
    if (!made.ok()) return made.status();
    if (verb == Verb::project) return made.value().project(rows, weight, projected);
    return made.value().add_segments(content.q, query_segments, key_segments, scale, content.out);
  }
};

}  // namespace

Tally fuzz_transformer_xl_parts(const Options& options) { return Runner<PartsCall>(options).run(); }

}  // namespace posenc::fuzz
