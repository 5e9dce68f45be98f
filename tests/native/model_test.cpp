// What a C++ caller does with a model's config.json. Every model type is tested through the
// command, in tests/model.

#include "posenc/model/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "posenc/model/explain.hpp"

namespace posenc {
namespace {

Model model_of(std::string_view text) { return Model::read(text).or_throw(); }

TEST(Model, GivesTheConfigOfARope) {
  const Model model = model_of(R"({"model_type": "llama", "hidden_size": 2048,
      "num_attention_heads": 32, "rope_theta": 500000.0, "max_position_embeddings": 131072,
      "rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0,
      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
  ASSERT_EQ(model.encodings().size(), 1u);
  const ModelEncoding* encoding = model.find(Site::text, 15);
  ASSERT_NE(encoding, nullptr);
  EXPECT_EQ(encoding->encoding, "rope");
  EXPECT_EQ(encoding->attention.scale, 0.125);
  EXPECT_TRUE(encoding->attention.causal);
  const auto& config = std::get<RopeConfig>(encoding->config);
  EXPECT_EQ(config.head_dim, 64u);
  EXPECT_EQ(config.base, 500000.0);
  EXPECT_EQ(std::get<Llama3>(config.scaling).factor, 32.0);
  const Rope rope(config);
  std::vector<float> q(64, 1.0f);
  ASSERT_TRUE(rope.apply(std::span(q), {.positions = Positions::from(7, 1)}).ok());
  EXPECT_NEAR(q[0], std::cos(7.0) - std::sin(7.0), 1e-6);
}

TEST(Model, LayersHaveTheirOwnEncodings) {
  const Model model = model_of(R"({"model_type": "gemma3_text", "num_hidden_layers": 12,
      "sliding_window": 512})");
  const ModelEncoding* sliding = model.find(Site::text, 0);
  const ModelEncoding* full = model.find(Site::text, 5);
  ASSERT_NE(sliding, nullptr);
  ASSERT_NE(full, nullptr);
  EXPECT_EQ(std::get<RopeConfig>(sliding->config).base, 10000.0);
  EXPECT_EQ(std::get<RopeConfig>(full->config).base, 1e6);
  EXPECT_EQ(sliding->attention.window, 512);
  EXPECT_FALSE(full->attention.window.has_value());
  EXPECT_EQ(model.find(Site::vision, 0), nullptr);
}

TEST(Model, EveryParameterSaysWhereItCameFrom) {
  const Model model = model_of(R"({"model_type": "llama", "hidden_size": 64,
      "num_attention_heads": 4})");
  for (const ModelParameter& parameter : model.encodings()[0].params) {
    const bool told = !parameter.source.from.empty() ||
                      parameter.source.kind == Source::Kind::class_default ||
                      parameter.source.kind == Source::Kind::model_code;
    EXPECT_TRUE(told) << parameter.name;
  }
}

TEST(Model, AnErrorNamesTheField) {
  const auto reading = Model::read(R"({"model_type": "llama", "text_config": {
      "model_type": "llama", "num_attention_heads": 0}})");
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().field, "text_config.num_attention_heads");
  EXPECT_EQ(code_name(reading.error().code), "E_FIELD_RANGE");
  EXPECT_NE(reading.error().message.find("got 0"), std::string::npos);
  EXPECT_THROW((void)Model::read("{").or_throw(), ModelError);
}

TEST(Model, AnUnknownTypeIsAssumedWithAWarning) {
  const Model model = model_of(R"({"model_type": "brand_new", "hidden_size": 64,
      "num_attention_heads": 4, "rope_theta": 1000})");
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].field, "model_type");
  EXPECT_EQ(std::get<RopeConfig>(model.encodings()[0].config).base, 1000.0);
}

TEST(Model, NumbersThatJsonCannotHoldAreReadAndIgnoredWhereTheyDoNotMatter) {
  const Model model = model_of(R"({"model_type": "llama", "time_step_limit": [0.0, Infinity],
      "hidden_size": 64, "num_attention_heads": 4})");
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].field, "time_step_limit[1]");
}

TEST(Model, ThePageNamesSourcesAndCode) {
  const std::string page = explain_page(
      Model::read(R"({"model_type": "bloom", "n_head": 16, "hidden_size": 1024})"), "bloom.json");
  EXPECT_NE(page.find("bloom.json"), std::string::npos);
  EXPECT_NE(page.find("posenc::Alibi encoding({.heads = 16});"), std::string::npos);
  EXPECT_NE(page.find("posenc.alibi({ heads: 16 })"), std::string::npos);
  EXPECT_NE(page.find("<- n_head"), std::string::npos);
}

TEST(Value, JsonReadsBack) {
  std::string json;
  Value(Value::Object{{"a\"\n", Value::Array{1, 0.1, true, Value(), "x"}}, {"b", 1e300}})
      .append_json(json);
  EXPECT_EQ(json, "{\"a\\\"\\u000a\":[1,0.1,true,null,\"x\"],\"b\":1e+300}");
}

}  // namespace
}  // namespace posenc
