// Rules of models that add a learned table of positions.

#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/relative_parts.hpp"
#include "posenc/model/tables.hpp"

namespace posenc::detail {
namespace {

Field<std::int64_t> read_dim(const Reading& reading) {
  const TableRow& row = reading.type.table;
  if (*row.dim_names != '\0') return reading.section.shape(row.dim_names, row.dim);
  return reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
}

Field<std::int64_t> read_rows(const Reading& reading, const char* names, std::int64_t fallback) {
  const std::int64_t extra = reading.type.table.extra_rows;
  auto rows = reading.section.whole(names, fallback, 1, kMaxRows);
  if (extra == 0) return rows;
  rows.value += extra;
  rows.source = derived(reading.section, {rows.path, " + ", extra});
  return rows;
}

/// The usual table of a row, of the length that `names` tell.
ModelEncoding& emit_table(Reading& reading, const char* names, std::int64_t fallback, bool causal) {
  const TableRow& row = reading.type.table;
  LearnedParts parts{.rows = read_rows(reading, names, fallback),
                     .dim = read_dim(reading),
                     .row_offset = row.row_offset,
                     .causal = causal};
  if (row.after_padding) {
    const auto padding = reading.section.whole("pad_token_id", row.padding_idx, 0, kMaxRows);
    if (padding.value >= parts.rows.value) {
      fail(FindingCode::field_range, padding.path,
           {padding.path, " must be a row of the table of ", parts.rows.value, ", got ",
            padding.value});
    }
    parts.row_offset = padding.value + 1;
    parts.padding_idx = padding;
  }
  return emit_learned(reading, parts);
}

ModelEncoding& emit_usual_table(Reading& reading) {
  return emit_table(reading, reading.type.spelling.max_position, reading.type.shape.max_position,
                    reading.type.table.causal);
}

}  // namespace

ModelEncoding& emit_learned(Reading& reading, const LearnedParts& parts) {
  const std::int64_t usable = parts.rows.value - parts.row_offset;
  if (usable < 1) {
    fail(FindingCode::field_range, parts.rows.path,
         {parts.rows.path, " must be above the first position's row ", parts.row_offset, ", got ",
          parts.rows.value});
  }
  ModelEncoding& encoding = emit(reading, "learned");
  put(encoding, "rows", parts.rows);
  put(encoding, "dim", parts.dim);
  put(encoding, "row_offset", parts.row_offset,
      parts.padding_idx.has_value() ? derived("padding_idx + 1") : kModelCode);
  if (parts.padding_idx.has_value()) put(encoding, "padding_idx", *parts.padding_idx);
  put(encoding, "max_position", usable, derived("rows - row_offset"));
  put(encoding, "causal", parts.causal, kModelCode);
  encoding.attention.causal = parts.causal;
  LearnedConfig config{.dim = static_cast<std::size_t>(parts.dim.value),
                       .row_offset = parts.row_offset};
  if (parts.padding_idx.has_value()) config.padding_row = parts.padding_idx->value;
  encoding.config = config;
  return encoding;
}

void read_learned(Reading& reading) { emit_usual_table(reading); }

void read_bert(Reading& reading) {
  const Section& section = reading.section;
  const auto kind = section.word("position_embedding_type");
  const std::string_view name = kind.has_value() ? kind->value : "absolute";
  if (name == "absolute") {
    emit_usual_table(reading);
  } else if (name == "relative_key" || name == "relative_key_query") {
    emit_bert_shaw(reading, name == "relative_key_query");
  } else if (name == "alibi") {
    emit_symmetric_alibi(reading);
  } else {
    fail(FindingCode::position_type_unknown, kind->path,
         {kind->path, " must be absolute, relative_key, relative_key_query or alibi, got ",
          shown(Value(name))});
  }
}

void read_esm(Reading& reading) {
  const auto kind = reading.section.word("position_embedding_type");
  if (kind.has_value() && kind->value == "rotary") {
    read_rope(reading);
  } else {
    read_bert(reading);
  }
}

void read_distilbert(Reading& reading) {
  if (reading.section.flag("sinusoidal_pos_embds", false).value) {
    read_sinusoidal(reading);
  } else {
    emit_usual_table(reading);
  }
}

void read_layoutlm(Reading& reading) {
  ModelEncoding& encoding = emit_usual_table(reading);
  const auto boxes = reading.section.whole("max_2d_position_embeddings", 1024, 1, kMaxRows);
  put(encoding, "extra_tables", Value::Object{{"x, y, h, w", boxes.value}}, boxes.source);
}

void read_learned_pair(Reading& reading) {
  reading.site = Site::encoder;
  emit_table(reading, "max_encoder_position_embeddings|max_position_embeddings",
             reading.type.shape.max_position, false);
  reading.site = Site::decoder;
  emit_table(reading, "max_decoder_position_embeddings|max_position_embeddings",
             reading.type.shape.max_position, true);
}

void read_whisper(Reading& reading) {
  reading.site = Site::encoder;
  read_whisper_encoder(reading);
  reading.site = Site::decoder;
  emit_learned(reading, {.rows = reading.section.whole("max_target_positions", 448, 1, kMaxRows),
                         .dim = read_dim(reading),
                         .causal = true});
}

}  // namespace posenc::detail
