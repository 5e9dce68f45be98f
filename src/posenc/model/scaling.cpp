#include "posenc/model/scaling.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "posenc/model/emit.hpp"

namespace posenc::detail {
namespace {

constexpr double kLeast = 1e-30, kMost = 1e30;
constexpr const char* kOriginal = "original_max_position_embeddings";
constexpr const char* kTypeNames = "rope_type|type";

/// "mrope" says how positions are read, not how frequencies are scaled.
std::string_view without_mrope(std::string_view type) { return type == "mrope" ? "default" : type; }

/// The scaling's type with its aliases resolved; "default" when nothing is scaled.
std::string_view type_of(const Section& params, const RopeRow& row) {
  for (const char* name : {"rope_type", "type"}) {
    if (!params.is_null(name) || params.has(kTypeNames)) continue;
    params.fail(FindingCode::field_type, name, {params.path(name), " must be a string, got null"});
  }
  const auto rope_type = params.word("rope_type");
  const auto type = params.word("type");
  if (!rope_type.has_value() && !type.has_value()) {
    if (!params.has("factor")) return "default";
    params.fail(FindingCode::field_missing, "rope_type",
                {params.path("rope_type"), " is missing, so what factor means is unknown"});
  }
  if (rope_type.has_value() && type.has_value() &&
      without_mrope(rope_type->value) != without_mrope(type->value)) {
    params.warn(FindingCode::rope_type_conflict, "type",
                {type->path, " = ", shown(Value(type->value)),
                 " differs from rope_type = ", shown(Value(rope_type->value)), ", which counts"});
  }
  const Field<std::string_view>& given = rope_type.has_value() ? *rope_type : *type;
  struct Alias {
    std::string_view name;
    std::string_view meaning;
    bool holds;
  };
  const Alias aliases[] = {{"su", "longrope", true},
                           {"yarn", "longrope", row.yarn_is_longrope},
                           {"deepseek_yarn", "yarn", true},
                           {"mrope", "default", true}};
  for (const auto& [name, meaning, holds] : aliases) {
    if (!holds || given.value != name) continue;
    if (name != "mrope") {
      params.warn(FindingCode::rope_type_alias, rope_type.has_value() ? "rope_type" : "type",
                  {given.path, " = \"", name, "\" is an old name of \"", meaning, "\""});
    }
    return meaning;
  }
  return given.value;
}

double required(const Section& params, const char* name, double low = kLeast) {
  const auto field = params.number(name, low, kMost);
  if (field.has_value()) return field->value;
  params.fail(FindingCode::field_missing, name, {params.path(name), " is missing"});
}

double read_factor(const Section& params, double low) {
  const double factor = required(params, "factor", low);
  if (factor < 1.0) {
    params.warn(FindingCode::factor_below_one, "factor",
                {params.path("factor"), " = ", factor, " is below 1: it shortens the context"});
  }
  return factor;
}

void must_have_two_pairs(const ScalingContext& context) {
  if (context.pairs >= 2) return;
  const auto& width = context.rotary_dim;
  fail(FindingCode::field_range, "rotary_dim",
       {"rotary_dim must be above 2 for NTK scaling, got ", width.value, " (", width.source.from,
        ")"});
}

/// Adds to what is told of a scaling.
void tell(Scaling& scaling, const char* name, Value value) {
  scaling.told.push_back({name, std::move(value)});
}

void tell(Scaling& scaling, const char* name, double number) { tell(scaling, name, Value(number)); }

void tell(Scaling& scaling, const char* name, std::int64_t whole) {
  tell(scaling, name, Value(whole));
}

Scaling told_as(const char* type) {
  Scaling scaling;
  tell(scaling, "type", Value(type));
  return scaling;
}

Scaling linear(const Section& params) {
  const double factor = read_factor(params, kLeast);
  Scaling result = told_as("linear");
  result.scaling = Linear{.factor = factor};
  tell(result, "factor", factor);
  return result;
}

Scaling dynamic(const Section& params, const ScalingContext& context) {
  must_have_two_pairs(context);
  const double factor = read_factor(params, 1.0);
  Scaling result = told_as("dynamic");
  result.scaling = DynamicNtk{.factor = factor, .max_position_embeddings = context.max_position};
  tell(result, "factor", factor);
  return result;
}

/// YaRN's factor, or how much longer the config's length is than the original one.
double read_yarn_factor(const Section& params, const ScalingContext& context,
                        std::int64_t original) {
  if (params.has("factor") || context.max_position <= original) return read_factor(params, 1.0);
  params.warn(FindingCode::default_used, "factor",
              {params.path("factor"), " is missing; max_position_embeddings = ",
               context.max_position, " by the original length is taken"});
  return static_cast<double>(context.max_position) / static_cast<double>(original);
}

/// A number that is its default when it is 0, as Python's `or` has it.
double read_beta(const Section& params, const char* name, double usual) {
  const double beta = params.number(name, usual, 0.0, kMost).value;
  return beta == 0.0 ? usual : beta;
}

Scaling yarn(const Section& params, const RopeRow& row, const ScalingContext& context) {
  Yarn yarn;
  yarn.original_max_position_embeddings =
      params.whole(kOriginal, context.original.value_or(context.max_position), 1, kMaxLength).value;
  yarn.factor = read_yarn_factor(params, context, yarn.original_max_position_embeddings);
  yarn.beta_fast = read_beta(params, "beta_fast", 32.0);
  yarn.beta_slow = read_beta(params, "beta_slow", 1.0);
  yarn.truncate = params.flag("truncate", row.truncate).value;
  yarn.mscale = params.number("mscale", 0.0, 0.0, kMost).value;
  yarn.mscale_all_dim = params.number("mscale_all_dim", 0.0, 0.0, kMost).value;
  if (const auto factor = params.number("attention_factor", kLeast, kMost)) {
    yarn.attention_factor = factor->value;
  }
  if (yarn.beta_fast < yarn.beta_slow) {
    params.fail(FindingCode::field_range, "beta_fast",
                {params.path("beta_fast"), " must be at least beta_slow = ", yarn.beta_slow,
                 ", got ", yarn.beta_fast});
  }
  if (context.base.value == 1.0) {
    fail(FindingCode::field_range, context.base.path,
         {context.base.path, " must be above 1 for YaRN, got 1"});
  }
  const double stretched = yarn.factor * static_cast<double>(yarn.original_max_position_embeddings);
  if (stretched != static_cast<double>(context.max_position)) {
    params.warn(FindingCode::factor_length_mismatch, "factor",
                {params.path("factor"), " times the original length is ", stretched,
                 ", max_position_embeddings ", context.max_position, "; the factor counts"});
  }
  Scaling result = told_as("yarn");
  result.scaling = yarn;
  tell(result, "factor", yarn.factor);
  tell(result, "original_max_position", yarn.original_max_position_embeddings);
  tell(result, "beta_fast", yarn.beta_fast);
  tell(result, "beta_slow", yarn.beta_slow);
  tell(result, "truncate", Value(yarn.truncate));
  if (params.has("mscale")) tell(result, "mscale", yarn.mscale);
  if (params.has("mscale_all_dim")) tell(result, "mscale_all_dim", yarn.mscale_all_dim);
  if (yarn.attention_factor.has_value()) {
    tell(result, "attention_factor", *yarn.attention_factor);
  }
  return result;
}

std::vector<double> read_factors(const Section& params, const char* name, std::int64_t pairs) {
  auto factors = params.numbers(name, kLeast, kMost);
  if (!factors.has_value()) {
    params.fail(FindingCode::field_missing, name, {params.path(name), " is missing"});
  }
  const auto count = static_cast<std::int64_t>(factors->value.size());
  if (count == pairs) return std::move(factors->value);
  params.fail(FindingCode::rope_factor_length, name,
              {factors->path, " must have rotary_dim/2 = ", pairs, " entries, got ", count});
}

Value array_of(const std::vector<double>& numbers) {
  return Value::Array(numbers.begin(), numbers.end());
}

Scaling longrope(const Section& params, const ScalingContext& context) {
  LongRope rope{.short_factor = read_factors(params, "short_factor", context.pairs),
                .long_factor = read_factors(params, "long_factor", context.pairs)};
  const auto original = params.whole(kOriginal, 2, kMaxLength);
  rope.original_max_position_embeddings = context.original.value_or(
      original.has_value() ? original->value : std::max<std::int64_t>(context.max_position, 2));
  const auto stated = params.number("factor", kLeast, kMost);
  rope.factor = stated.has_value() && !context.original.has_value()
                    ? stated->value
                    : static_cast<double>(context.max_position) /
                          static_cast<double>(rope.original_max_position_embeddings);
  Scaling result = told_as("longrope");
  tell(result, "short_factor", array_of(rope.short_factor));
  tell(result, "long_factor", array_of(rope.long_factor));
  tell(result, "original_max_position", rope.original_max_position_embeddings);
  tell(result, "factor", rope.factor);
  for (const char* name : {"attention_factor", "short_mscale", "long_mscale"}) {
    const auto given = params.number(name, kLeast, kMost);
    if (!given.has_value()) continue;
    if (name != std::string_view("long_mscale")) rope.short_attention_factor = given->value;
    if (name != std::string_view("short_mscale")) rope.long_attention_factor = given->value;
    tell(result, name, given->value);
  }
  result.scaling = std::move(rope);
  return result;
}

Scaling llama3(const Section& params) {
  Llama3 llama{.factor = read_factor(params, kLeast),
               .low_freq_factor = required(params, "low_freq_factor"),
               .high_freq_factor = required(params, "high_freq_factor")};
  const auto original = params.whole(kOriginal, 1, kMaxLength);
  if (!original.has_value()) {
    params.fail(FindingCode::field_missing, kOriginal, {params.path(kOriginal), " is missing"});
  }
  llama.original_max_position_embeddings = original->value;
  if (llama.high_freq_factor < llama.low_freq_factor) {
    params.fail(FindingCode::field_range, "high_freq_factor",
                {params.path("high_freq_factor"), " must be at least low_freq_factor = ",
                 llama.low_freq_factor, ", got ", llama.high_freq_factor});
  }
  Scaling result = told_as("llama3");
  result.scaling = llama;
  tell(result, "factor", llama.factor);
  tell(result, "low_freq_factor", llama.low_freq_factor);
  tell(result, "high_freq_factor", llama.high_freq_factor);
  tell(result, "original_max_position", llama.original_max_position_embeddings);
  return result;
}

Scaling proportional(const Section& params) {
  const Proportional rope{
      .partial_rotary_factor = params.number("partial_rotary_factor", 1.0, 0.0, 1.0).value,
      .factor = params.number("factor", 1.0, kLeast, kMost).value};
  Scaling result = told_as("proportional");
  result.scaling = rope;
  tell(result, "partial_rotary_factor", rope.partial_rotary_factor);
  tell(result, "factor", rope.factor);
  return result;
}

Scaling scaling_of(const Section& params, const RopeRow& row, const ScalingContext& context) {
  const std::string_view type = type_of(params, row);
  if (type == "default") return told_as("none");
  if (type == "linear") return linear(params);
  if (type == "dynamic") return dynamic(params, context);
  if (type == "yarn") return yarn(params, row, context);
  if (type == "longrope") return longrope(params, context);
  if (type == "llama3") return llama3(params);
  if (type == "proportional") return proportional(params);
  std::string_view name;
  params.find(kTypeNames, &name);
  const char* path = params.path(name);
  fail(FindingCode::rope_type_unknown, path,
       {path,
        " must be default, linear, dynamic, yarn, longrope, llama3 or "
        "proportional, got ",
        shown(Value(type))});
}

}  // namespace

Scaling read_scaling(const std::optional<Section>& params, const RopeRow& row,
                     const ScalingContext& context) {
  if (!params.has_value()) return told_as("none");
  Scaling scaling = scaling_of(*params, row, context);
  scaling.source = {Source::Kind::config, params->path()};
  return scaling;
}

}  // namespace posenc::detail
