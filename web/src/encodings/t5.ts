import { exact, short } from "../picture/format";
import { call, EQUALS, id, MINUS, math, name, num, op, row, sub } from "../picture/math";
import { T5_PRESETS, type T5Settings } from "../settings/t5";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import {
  BUCKETS,
  DISTANCES,
  HEADS,
  head,
  number,
  seed,
  shown,
  toggle,
  trainedLength,
} from "./parameters";
import { describeScore, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

function formula(): string {
  const bucket = call(name("bucket"), row(id("k"), MINUS, id("q")));
  return math(
    call(sub(name("bias"), id("h")), id("q"), id("k")),
    EQUALS,
    sub(id("W"), row(bucket, op(","), id("h"))),
  );
}

/** The bucket of a distance key - query, read off the library's thresholds. */
function bucketOf(settings: T5Settings, thresholds: Float64Array, distance: number): number {
  const ahead = settings.bidirectional && distance > 0;
  const size = settings.bidirectional ? Math.abs(distance) : Math.max(-distance, 0);
  const index = thresholds.filter((threshold) => threshold <= size).length - 1;
  return (ahead ? thresholds.length : 0) + index;
}

function reading(view: string, settings: T5Settings, result: Result, cell: Cell): string {
  const distance = cell.column - cell.row;
  const bucket = bucketOf(settings, result.facts.thresholds ?? new Float64Array(), distance);
  const lookup = sub(id("W"), row(num(String(bucket)), op(","), num(String(settings.head))));
  if (view === "attention") return weightReading(cell, lookup);
  const [query, key] = [cell.row, cell.column].map((one) => num(String(one))) as [string, string];
  const value = num(exact(cell.value));
  if (view === "buckets") {
    const apart = num(exact(distance));
    const steps = [row(key, MINUS, query), apart].map((one) => call(name("bucket"), one));
    return math(steps.join(EQUALS), EQUALS, value);
  }
  return scoreReading(sub(name("bias"), num(String(settings.head))), cell, lookup);
}

function describe(view: string, settings: T5Settings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  const what = view === "buckets" ? "bucket" : `random bias of head ${settings.head}`;
  return describeScore(cell, what);
}

function observe(view: string, settings: T5Settings, result: Result): readonly Sentence[] {
  const thresholds = Array.from(result.facts.thresholds ?? []);
  const buckets = thresholds.length;
  const single = thresholds.filter(
    (start, i) => (thresholds[i + 1] ?? Infinity) === start + 1,
  ).length;
  const last = thresholds[buckets - 1] ?? 0;
  const before = thresholds[buckets - 2] ?? 0;
  const sentences: Sentence[] = [];
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  sentences.push(
    settings.bidirectional
      ? say`Keys before and after the query have ${short(buckets)} buckets each, ${short(2 * buckets)} in all.`
      : say`All ${short(buckets)} buckets are for keys before the query; keys after it share bucket ${"0"}, and it is attention that masks them.`,
    say`The nearest ${short(single)} distances have a bucket each; then the buckets widen. The last but one holds ${short(last - before)} distances, from ${short(before)} to ${short(last - 1)}.`,
    say`From distance ${short(last)} on, all keys share one bucket: farther ones cannot be told apart.`,
  );
  if (view !== "buckets") {
    sentences.push(
      say`The values are random (seed ${String(settings.seed)}, between ${"\u22121"} and ${"1"}): a real table has ${short(settings.numBuckets)} \u00d7 ${short(settings.heads)} trained numbers, which this page does not ship.`,
    );
  }
  return sentences;
}

export const t5: Encoding<T5Settings> = {
  id: "t5",
  name: "T5",
  family: "bias",
  place: "added to the scores",
  sentence:
    "Distances are sorted into buckets, narrow near the query and wider far away, and every head adds one trained number per bucket to the score.",
  source: { text: "Raffel et al. 2020, T5", href: "https://arxiv.org/abs/1910.10683" },
  parameters: [
    number("heads", "Heads", HEADS),
    toggle("bidirectional", "Direction", ["both (encoder)", "past only (decoder)"]),
    number("numBuckets", "Buckets", BUCKETS),
    number("maxDistance", "Largest distance", DISTANCES, {
      hint: "The logarithmic widths are laid out up to here.",
    }),
    seed,
    trainedLength,
    head,
    ...shown(),
  ],
  presets: T5_PRESETS,
  views: [{ id: "buckets", label: "Buckets" }, { id: "bias", label: "One head" }, ATTENTION],
  formula,
  caption: (view, settings) => {
    if (view === "buckets")
      return "The bucket of every query and key: exact, whatever the weights.";
    const random = `Random table (seed ${settings.seed}), not the trained one.`;
    if (view === "bias")
      return `The bias of head ${settings.head} for every query and key. ${random}`;
    return `Attention of head ${settings.head} if every token were the same. ${random}`;
  },
  reading,
  describe,
  observe,
};
