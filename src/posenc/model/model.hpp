#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/model/encodings.hpp"
#include "posenc/model/finding.hpp"

namespace posenc {

/// The position encodings that a published model's config.json asks for.
///
/// Understands the configs of transformers 4 and 5 (rope_scaling, rope_parameters, per layer type
/// as well), nested parts (text_config, vision_config, audio_config, thinker_config), and the class
/// defaults of each known model_type. An unknown model_type with fields of a rope or of ALiBi is
/// read as most models mean them, with a warning; nothing is assumed in silence.
///
///     const posenc::Model model = posenc::Model::read(text).or_throw();
///     const posenc::ModelEncoding* encoding = model.find(posenc::Site::text, 0);
///     posenc::Rope rope(std::get<posenc::RopeConfig>(encoding->config));
class Model {
 public:
  class Reading;

  /// Reads the text of a config.json: UTF-8, at most 16 MiB, 32 levels and 2^18 values. Time and
  /// memory grow with the text's size alone, whatever lengths it names.
  static Reading read(std::string_view text);

  /// In the order of the sites, then of the layers.
  std::span<const ModelEncoding> encodings() const noexcept { return encodings_; }
  /// What was assumed or ignored.
  std::span<const Finding> warnings() const noexcept { return warnings_; }

  /// The first encoding of a layer of a site; nullptr when there is none.
  const ModelEncoding* find(Site site, std::int64_t layer) const noexcept;

 private:
  std::vector<ModelEncoding> encodings_;
  std::vector<Finding> warnings_;
};

/// A model, or the error that says why there is none.
class [[nodiscard]] Model::Reading {
 public:
  Reading(Model model) noexcept : result_(std::move(model)) {}
  Reading(Finding error) noexcept : result_(std::move(error)) {}

  bool ok() const noexcept { return std::holds_alternative<Model>(result_); }
  /// Precondition: `ok()`.
  const Model& value() const noexcept { return *std::get_if<Model>(&result_); }
  /// Precondition: not `ok()`.
  const Finding& error() const noexcept { return *std::get_if<Finding>(&result_); }

  /// The model; throws `ModelError` when there is none.
  Model or_throw() &&;

 private:
  std::variant<Model, Finding> result_;
};

/// What `Model::Reading::or_throw` throws.
class ModelError : public std::exception {
 public:
  explicit ModelError(Finding finding) noexcept : finding_(std::move(finding)) {}
  const Finding& finding() const noexcept { return finding_; }
  const char* what() const noexcept override { return finding_.message.c_str(); }

 private:
  Finding finding_;
};

}  // namespace posenc
