import type { Settings } from "../types";
import type { Parameter, Section } from "./types";

/** The controls that several encodings share. */

export function number(
  name: string,
  label: string,
  stops?: readonly number[] | ((settings: Settings) => readonly number[]),
  extra: { hint?: string; section?: Section; when?: Parameter["when"] } = {},
): Parameter {
  const byNow = typeof stops === "object" ? () => stops : stops;
  return { kind: "number", name, label, stops: byNow, section: "model", ...extra };
}

export function choice(
  name: string,
  label: string,
  options: Record<string, string>,
  extra: { hint?: string; section?: Section; when?: Parameter["when"] } = {},
): Parameter {
  const list = Object.entries(options).map(([value, text]) => ({ value, label: text }));
  return { kind: "choice", name, label, options: list, section: "model", ...extra };
}

export function toggle(
  name: string,
  label: string,
  [yes, no]: readonly [string, string],
  extra: { hint?: string; section?: Section; when?: Parameter["when"] } = {},
): Parameter {
  const options = [
    { value: true, label: yes },
    { value: false, label: no },
  ];
  return { kind: "choice", name, label, options, section: "model", ...extra };
}

export const DIMS = [8, 16, 32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 4096];
export const dim = number("dim", "Dimensions", DIMS, { hint: "Width of a row, dim." });

export const HEAD_DIMS = [8, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 512];
export const HIDDEN = [8, 16, 32, 64, 128, 256, 512];
export const ROWS = [50, 77, 128, 197, 256, 448, 512, 514, 1024, 2048, 2050];
export const BASES = [10, 100, 1000, 10000, 50000, 100000, 500000, 1000000, 10000000];
export const HEADS = [1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 71, 96, 112, 128];
export const BUCKETS = [4, 8, 16, 32, 64, 128, 256, 320];
export const DISTANCES = [16, 32, 64, 128, 256, 512, 800, 1024, 2048];
export const LENGTHS = [8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
const REACHES = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
export const TRAINED = [0, 512, 1024, 2048, 4096, 8192, 16384, 32768, 131072];

export const trainedLength = number("trainedLength", "Trained length", TRAINED, {
  hint: "Tokens; 0: not stated. Draws the rule in the curve, changes no value.",
});

export const causal = toggle("causal", "Mask", ["causal", "none"], {
  section: "shown",
  when: (_settings: Settings, view: string) => view === "attention",
});

const notInBuckets = (_settings: Settings, view: string) => view !== "buckets";

export const seed = number("seed", "Seed", undefined, {
  hint: "Of the random numbers that stand for trained ones.",
  when: notInBuckets,
});

export const contentSeed = number("seed", "Seed", undefined, {
  hint: "Of the random content and weights that stand for real ones.",
});

/** The window of pictures that are about the tokens of one text, from its start. */
export const tokens = number(
  "length",
  "Tokens shown",
  LENGTHS.filter((one) => one <= 512),
  { section: "shown" },
);

/** More heads than this have no slider to choose one. */
const MOST_HEADS = 1024;

function allHeads({ heads }: Settings): readonly number[] {
  const count = Number(heads);
  if (!Number.isInteger(count) || count < 1 || count > MOST_HEADS) return [];
  return Array.from({ length: count }, (_, head) => head);
}

export const head = number("head", "Head", allHeads, {
  section: "shown",
  hint: "Counted from 0.",
  when: notInBuckets,
});

/** The window of the picture and the reach of the curve; `extra` stands between them. */
export function shown(extra: readonly Parameter[] = []): readonly Parameter[] {
  return [
    number("offset", "First position", undefined, { section: "shown" }),
    number("length", "Positions shown", LENGTHS, { section: "shown" }),
    ...extra,
    number("curveLength", "Curve up to distance", REACHES, {
      section: "shown",
      hint: "Exclusive: distances 0 to this number less 1.",
    }),
  ];
}

/** For curves whose distances are all at least 0. */
export const logDistance = toggle("logDistance", "Distance axis", ["logarithmic", "linear"], {
  section: "shown",
});
