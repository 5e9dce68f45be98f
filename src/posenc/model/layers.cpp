#include "posenc/model/layers.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "posenc/model/emit.hpp"

namespace posenc::detail {
namespace {

/// Models have tens of layers; a config that asks for more than this asks for memory.
constexpr std::int64_t kMaxLayers = 4096;

struct LayerName {
  const char* name;
  LayerKind kind;
};
constexpr LayerName kNames[] = {
    {"full_attention", LayerKind::full},
    {"sliding_attention", LayerKind::sliding},
    {"chunked_attention", LayerKind::chunked},
    {"linear_attention", LayerKind::linear},
    {"attention", LayerKind::full},
    {"conv", LayerKind::recurrent},
    {"mamba", LayerKind::recurrent},
    {"recurrent", LayerKind::recurrent},
};

LayerKind kind_of(const Section& section, const char* name, const Value& item) {
  const auto* word = item.get_if<std::string>();
  if (word == nullptr) {
    section.fail(FindingCode::field_type, name,
                 {section.path(name), " must be a string, got ", shown(item)});
  }
  const auto* found = std::ranges::find(kNames, *word, &LayerName::name);
  if (found != std::end(kNames)) return found->kind;
  section.fail(
      FindingCode::layer_type_unknown, name,
      {section.path(name), " must be full_attention, sliding_attention, ",
       "chunked_attention, linear_attention, conv, mamba or recurrent, got ", shown(item)});
}

void must_have_length(const Section& section, const char* name, std::size_t size,
                      std::int64_t count) {
  if (static_cast<std::int64_t>(size) == count) return;
  section.fail(
      FindingCode::layer_list_length, name,
      {section.path(name), " must have an entry for each of the ", count, " layers, got ", size});
}

std::vector<LayerKind> from_layer_types(const Section& section, const Value::Array& types,
                                        std::int64_t count) {
  must_have_length(section, "layer_types", types.size(), count);
  std::vector<LayerKind> kinds;
  kinds.reserve(types.size());
  for (const Value& item : types) {
    kinds.push_back(kind_of(section, indexed("layer_types", kinds.size()).c_str(), item));
  }
  return kinds;
}

template <class KindOf>
std::vector<LayerKind> by_index(std::int64_t count, KindOf kind_of) {
  std::vector<LayerKind> kinds;
  kinds.reserve(static_cast<std::size_t>(count));
  for (std::int64_t layer = 0; layer < count; ++layer) kinds.push_back(kind_of(layer));
  return kinds;
}

/// A pattern such as "LLLG": G layers are full, L layers slide; it repeats.
std::vector<LayerKind> from_letters(const Section& section, std::string_view name,
                                    const std::string& letters, std::int64_t count) {
  const bool valid = !letters.empty() && letters.find_first_not_of("LG") == std::string::npos;
  if (!valid) {
    const char* path = section.path(name);
    fail(FindingCode::field_value, path,
         {path, " must be a number or letters L and G, got ", shown(Value(letters))});
  }
  return by_index(count, [&](std::int64_t layer) {
    const char letter = letters[static_cast<std::size_t>(layer) % letters.size()];
    return letter == 'G' ? LayerKind::full : LayerKind::sliding;
  });
}

std::vector<LayerKind> every_nth(const Reading& reading, std::int64_t count) {
  const Section& section = reading.section;
  const RopeRow& row = reading.type.rope;
  std::string_view name;
  const Value* given = section.find(row.interval_names, &name);
  if (given != nullptr) {
    if (const auto* letters = given->get_if<std::string>()) {
      return from_letters(section, name, *letters, count);
    }
  }
  const std::int64_t n = section.whole(row.interval_names, row.interval, 1, kMaxLayers).value;
  const LayerKind other =
      row.layers == LayerRule::last_of_n_full_linear ? LayerKind::linear : LayerKind::sliding;
  const std::int64_t shift = row.layers == LayerRule::first_of_n_full ? 0 : 1;
  return by_index(count, [=](std::int64_t layer) {
    return (layer + shift) % n == 0 ? LayerKind::full : other;
  });
}

std::vector<LayerKind> no_rope_list(const Reading& reading, std::int64_t count) {
  const Section& section = reading.section;
  const auto flags = section.wholes("no_rope_layers", 0, 1);
  // An empty list is no list: Python's `or` falls back to the interval.
  if (flags.has_value() && !flags->value.empty()) {
    must_have_length(section, "no_rope_layers", flags->value.size(), count);
    return by_index(count, [&](std::int64_t layer) {
      return flags->value[static_cast<std::size_t>(layer)] == 1 ? LayerKind::full : LayerKind::nope;
    });
  }
  const RopeRow& row = reading.type.rope;
  const std::int64_t n = section.whole(row.interval_names, row.interval, 1, kMaxLayers).value;
  return by_index(count, [=](std::int64_t layer) {
    return (layer + 1) % n == 0 ? LayerKind::nope : LayerKind::full;
  });
}

std::vector<LayerKind> window_from(const Reading& reading, std::int64_t count) {
  const std::int64_t usual = reading.type.rope.max_window_layers;
  const std::int64_t first = reading.section.whole("max_window_layers", usual, 0, kMaxLayers).value;
  return by_index(count, [=](std::int64_t layer) {
    return layer >= first ? LayerKind::sliding : LayerKind::full;
  });
}

std::vector<LayerKind> index_list(const Section& section, std::int64_t count) {
  const auto indices = section.wholes("full_attn_idxs", 0, kMaxLayers);
  if (!indices.has_value()) return {LayerKind::full};
  return by_index(count, [&](std::int64_t layer) {
    const bool attends = std::ranges::find(indices->value, layer) != indices->value.end();
    return attends ? LayerKind::full : LayerKind::recurrent;
  });
}

std::vector<LayerKind> hybrid_list(const Section& section, std::int64_t count) {
  const auto flags = section.wholes("hybrid_layer_pattern", 0, 1);
  if (!flags.has_value()) return {LayerKind::full};
  must_have_length(section, "hybrid_layer_pattern", flags->value.size(), count);
  return by_index(count, [&](std::int64_t layer) {
    return flags->value[static_cast<std::size_t>(layer)] == 1 ? LayerKind::sliding
                                                              : LayerKind::full;
  });
}

std::vector<LayerKind> block_types(const Section& section, std::int64_t count) {
  std::vector<LayerKind> pattern{LayerKind::recurrent, LayerKind::recurrent, LayerKind::full};
  if (const auto* given = section.array("block_types|_block_types"); given != nullptr) {
    pattern.clear();
    pattern.reserve(given->size());
    for (const Value& item : *given) {
      pattern.push_back(kind_of(section, indexed("block_types", pattern.size()).c_str(), item));
    }
    if (pattern.empty()) {
      section.fail(FindingCode::field_range, "block_types",
                   {section.path("block_types"), " must not be empty"});
    }
  }
  return by_index(count, [&](std::int64_t layer) {
    return pattern[static_cast<std::size_t>(layer) % pattern.size()];
  });
}

std::vector<LayerKind> kinds_by_rule(const Reading& reading) {
  const Section& section = reading.section;
  const RopeRow& row = reading.type.rope;
  const Value::Array* types = section.array("layer_types");
  if (row.layers == LayerRule::uniform && types == nullptr) return {LayerKind::full};
  if (row.layers == LayerRule::window_from && types == nullptr &&
      !section.flag("use_sliding_window", false).value) {
    return {LayerKind::full};
  }
  const std::int64_t count =
      section.whole(reading.type.spelling.layers, reading.type.shape.layers, 1, kMaxLayers).value;
  if (row.layers == LayerRule::no_rope_list) return no_rope_list(reading, count);
  if (types != nullptr) return from_layer_types(section, *types, count);
  switch (row.layers) {
    case LayerRule::window_from:
      return window_from(reading, count);
    case LayerRule::index_list:
      return index_list(section, count);
    case LayerRule::hybrid_list:
      return hybrid_list(section, count);
    case LayerRule::block_types:
      return block_types(section, count);
    default:
      return every_nth(reading, count);
  }
}

}  // namespace

const char* layer_type_name(LayerKind kind) noexcept {
  const auto* found = std::ranges::find(kNames, kind, &LayerName::kind);
  return found != std::end(kNames) ? found->name : "nope";
}

std::vector<LayerKind> layer_kinds(const Reading& reading) {
  std::vector<LayerKind> kinds = kinds_by_rule(reading);
  if (reading.type.rope.last_is_full) kinds.back() = LayerKind::full;
  return kinds;
}

std::vector<std::int64_t> layers_of(const std::vector<LayerKind>& kinds, LayerKind kind) {
  std::vector<std::int64_t> layers;
  if (std::ranges::all_of(kinds, [&](LayerKind k) { return k == kind; })) return layers;
  layers.reserve(kinds.size());
  for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
    if (kinds[layer] == kind) layers.push_back(static_cast<std::int64_t>(layer));
  }
  return layers;
}

}  // namespace posenc::detail
