import { exact, short } from "../picture/format";
import {
  call,
  DOT,
  EQUALS,
  frac,
  id,
  MINUS,
  math,
  name,
  num,
  PLUS,
  root,
  row,
  sub,
  sup,
} from "../picture/math";
import { DEBERTA_PRESETS, type DebertaSettings } from "../settings/deberta";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { BUCKETS, choice, contentSeed, DISTANCES, HEAD_DIMS, number, tokens } from "./parameters";
import { contentNote, contentScore, describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

/** What products are divided by under the root: headDim times one more than the terms. */
function width({ headDim, terms }: DebertaSettings): string {
  return num(String(headDim * (terms === "both" ? 3 : 2)));
}

/** (q . K[r] + k . Q[r]) / sqrt(width), or one of the two. */
function rule(settings: DebertaSettings, query: string, key: string, index: string): string {
  const content = row(sub(id("q"), query), DOT, sub(sup(id("P"), name("K")), index));
  const position = row(sub(id("k"), key), DOT, sub(sup(id("P"), name("Q")), index));
  const { terms } = settings;
  const both =
    terms === "both" ? row(content, PLUS, position) : terms === "c2p" ? content : position;
  return frac(both, root(width(settings)));
}

function formula(settings: DebertaSettings): string {
  const distance = row(id("q"), MINUS, id("k"));
  const bucket = settings.positionBuckets > 0 ? call(name("bucket"), distance) : distance;
  const clipped = call(name("clip"), row(bucket, PLUS, name("span")));
  return (
    math(call(name("term"), id("q"), id("k")), EQUALS, rule(settings, id("q"), id("k"), id("r"))) +
    math(id("r"), EQUALS, clipped)
  );
}

function reading(view: string, settings: DebertaSettings, _: Result, cell: Cell): string {
  const [query, key] = [cell.row, cell.column].map((one) => num(String(one))) as [string, string];
  if (view === "buckets") {
    const distance = num(exact(cell.row - cell.column));
    return math(call(name("bucket"), distance), EQUALS, num(exact(cell.value)));
  }
  const term = rule(settings, query, key, id("r"));
  if (view === "attention") return weightReading(cell, contentScore(cell, width(settings), term));
  return scoreReading(name("term"), cell, term);
}

function describe(view: string, _settings: DebertaSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  return describeScore(cell, view === "buckets" ? "bucket" : "added term");
}

function observe(
  view: string,
  settings: DebertaSettings,
  { picture, curve, facts }: Result,
): readonly Sentence[] {
  const { headDim, positionBuckets, maxRelativePositions, terms, seed } = settings;
  const span = facts.attSpan ?? 0;
  const sentences: Sentence[] = view === "attention" ? [...attentionSentences(picture)] : [];
  sentences.push(
    say`The table has ${short(2 * span)} rows, ${short(span)} for each side, which all layers share and project anew.`,
    positionBuckets > 0
      ? say`Distances up to ${short(positionBuckets / 2)} have a row each; beyond, a row is shared by ever more of them.`
      : say`Every distance under ${short(maxRelativePositions)} has a row of its own; farther ones share the last.`,
  );
  if (view === "buckets") {
    const buckets = Array.from(curve.lines[0]?.values ?? []);
    const rows = new Set(buckets.map((one) => Math.min(span - 1, Math.max(-span, one))));
    sentences.push(
      say`Bucket b reads row b + ${short(span)}; buckets under ${`\u2212${span}`} or over ${short(span - 1)} are clipped to the table\u2019s ends, so that the ${short(buckets.length)} distances of the curve read ${short(rows.size)} different rows.`,
    );
    return sentences;
  }
  sentences.push(
    terms === "both"
      ? say`Two terms and the content make three: all are divided by the root of ${short(headDim)} \u00d7 ${"3"}.`
      : say`One term and the content make two: both are divided by the root of ${short(headDim)} \u00d7 ${"2"}.`,
    randomSentence(seed, "Queries, keys and projected rows are"),
  );
  return sentences;
}

export const deberta: Encoding<DebertaSettings> = {
  id: "deberta",
  name: "DeBERTa",
  family: "relative",
  place: "added to the scores",
  sentence:
    "A trained row for each bucket of distances is projected into a key and a query; the products of content with position and of position with content are added to the score.",
  source: { text: "He et al. 2020, DeBERTa", href: "https://arxiv.org/abs/2006.03654" },
  parameters: [
    number("headDim", "Head width", HEAD_DIMS),
    choice("terms", "Terms", {
      both: "content to position and back",
      c2p: "content to position",
      p2c: "position to content",
    }),
    number("positionBuckets", "Buckets", [0, ...BUCKETS], {
      hint: "On each side; 0: every distance has a row (v1).",
    }),
    number("maxRelativePositions", "Largest distance", DISTANCES),
    contentSeed,
    tokens,
  ],
  presets: DEBERTA_PRESETS,
  views: [{ id: "buckets", label: "Buckets" }, { id: "term", label: "Added term" }, ATTENTION],
  formula,
  caption: (view, { seed }) => {
    if (view === "buckets")
      return "The bucket of every query and key: exact, whatever the weights.";
    const random = contentNote(
      seed,
      "Queries, keys and projected rows (keys and queries alike) are",
    );
    return view === "attention"
      ? `Attention of one head, content and terms together. ${random}`
      : `What one head adds to the score of every query and key. ${random}`;
  },
  reading,
  describe,
  observe,
};
