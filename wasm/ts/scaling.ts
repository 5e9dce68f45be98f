import { boolean, choice, filled, integer, number, optional, position } from "./check.js";
import type { Memory } from "./memory.js";
import type { ScalingNumbers } from "./rotary_module.js";

/** The rules that {@link RopeScaling} can name. */
export const ROPE_SCALINGS = [
  "none",
  "linear",
  "static_ntk",
  "dynamic_ntk",
  "yarn",
  "long_rope",
  "llama3",
  "proportional",
  "custom_frequencies",
] as const;
/** One of {@link ROPE_SCALINGS}. */
export type RopeScalingType = (typeof ROPE_SCALINGS)[number];

/** Numbers in double: what a config keeps a copy of. */
export type Doubles = Float64Array | readonly number[];

/**
 * The published ways of changing a rope's frequencies for contexts longer than it was trained on.
 * f[i] = base^(-2i / rotaryDim) is the frequency as trained. Factors are 1e-30 to 1e30 unless a
 * narrower range is stated.
 */
export type RopeScaling =
  | NoScaling
  | Linear
  | StaticNtk
  | DynamicNtk
  | Yarn
  | LongRope
  | Llama3
  | Proportional
  | CustomFrequencies;

/** Frequencies as trained. */
export interface NoScaling {
  readonly type: "none";
}

/** Position interpolation: f[i] / factor (Chen et al. 2023, arXiv 2306.15595). */
export interface Linear {
  readonly type: "linear";
  readonly factor: number;
}

/** NTK-aware base: base * factor^(d / (d - 2)), d = rotaryDim, whatever the length. */
export interface StaticNtk {
  readonly type: "static_ntk";
  readonly factor: number;
}

/**
 * NTK-aware base that grows with the sequence (transformers' "dynamic"): lengths that were trained
 * on change nothing. Needs `RopeConfig.length`, or `setLength` while decoding.
 */
export interface DynamicNtk {
  readonly type: "dynamic_ntk";
  /** At least 1. */
  readonly factor: number;
  readonly maxPositionEmbeddings: number;
}

/** YaRN (Peng et al. 2023, arXiv 2309.00071). */
export interface Yarn {
  readonly type: "yarn";
  /** At least 1. */
  readonly factor: number;
  readonly originalMaxPositionEmbeddings: number;
  /** @defaultValue 32 */
  readonly betaFast?: number;
  /** @defaultValue 1 */
  readonly betaSlow?: number;
  /**
   * The ramp's ends are rounded outwards to whole indices; false for gpt-oss.
   * @defaultValue true
   */
  readonly truncate?: boolean;
  /** @defaultValue 0, which stands for not given */
  readonly mscale?: number;
  /** @defaultValue 0, which stands for not given */
  readonly mscaleAllDim?: number;
  /** Replaces the attention factor that factor and the mscales give. */
  readonly attentionFactor?: number;
}

/**
 * LongRoPE (Ding et al. 2024, arXiv 2402.13753; Phi-3): f[i] / shortFactor[i] up to the original
 * length, f[i] / longFactor[i] for any longer sequence. Needs `RopeConfig.length`, or `setLength`
 * while decoding.
 */
export interface LongRope {
  readonly type: "long_rope";
  /** [rotaryDim/2]. */
  readonly shortFactor: Doubles;
  /** [rotaryDim/2]. */
  readonly longFactor: Doubles;
  readonly originalMaxPositionEmbeddings: number;
  /**
   * How far the context was extended: max_position_embeddings / original.
   * @defaultValue 1
   */
  readonly factor?: number;
  /** Replaces the attention factor up to the original length. */
  readonly shortAttentionFactor?: number;
  /** Replaces the attention factor beyond it. */
  readonly longAttentionFactor?: number;
}

/** Llama 3.1: long wavelengths are interpolated, short ones kept, those between blended. */
export interface Llama3 {
  readonly type: "llama3";
  /** @defaultValue 8 */
  readonly factor?: number;
  /** @defaultValue 1 */
  readonly lowFreqFactor?: number;
  /** @defaultValue 4 */
  readonly highFreqFactor?: number;
  /** @defaultValue 8192 */
  readonly originalMaxPositionEmbeddings?: number;
}

/**
 * Gemma 4: the first int(partialRotaryFactor * headDim) / 2 frequencies are
 * base^(-2i / headDim) / factor, the others 0. Needs rotaryDim = headDim.
 */
export interface Proportional {
  readonly type: "proportional";
  /**
   * 0 to 1.
   * @defaultValue 1
   */
  readonly partialRotaryFactor?: number;
  /** @defaultValue 1 */
  readonly factor?: number;
}

/** Frequencies of the caller's own, in radians per position; 0 does not turn. */
export interface CustomFrequencies {
  readonly type: "custom_frequencies";
  /** [axes, frequencyHeads, rotaryDim/2]; the angle of a pair is the sum over the axes. */
  readonly invFreq: Doubles;
  /**
   * 1 to 8.
   * @defaultValue 1
   */
  readonly axes?: number;
  /**
   * 1, or one set of frequencies for each head.
   * @defaultValue 1
   */
  readonly frequencyHeads?: number;
  /** @defaultValue 1 */
  readonly attentionFactor?: number;
}

const NAME = "rope";

/** Options of each type, with their defaults; NaN stands for none. */
const OPTIONS: Record<RopeScalingType, { needs: readonly string[]; defaults: object }> = {
  none: { needs: [], defaults: {} },
  linear: { needs: ["factor"], defaults: {} },
  static_ntk: { needs: ["factor"], defaults: {} },
  dynamic_ntk: { needs: ["factor", "maxPositionEmbeddings"], defaults: {} },
  yarn: {
    needs: ["factor", "originalMaxPositionEmbeddings", "attentionFactor"],
    defaults: { betaFast: 32, betaSlow: 1, truncate: true, mscale: 0, mscaleAllDim: 0 },
  },
  long_rope: {
    needs: [
      "shortFactor",
      "longFactor",
      "originalMaxPositionEmbeddings",
      "shortAttentionFactor",
      "longAttentionFactor",
    ],
    defaults: { factor: 1 },
  },
  llama3: {
    needs: [],
    defaults: {
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPositionEmbeddings: 8192,
    },
  },
  proportional: { needs: [], defaults: { partialRotaryFactor: 1, factor: 1 } },
  custom_frequencies: {
    needs: ["invFreq"],
    defaults: { axes: 1, frequencyHeads: 1, attentionFactor: 1 },
  },
};

/** The scaling with its defaults filled in. @internal */
export function filledScaling(scaling: RopeScaling): RopeScaling {
  const words: readonly string[] = ROPE_SCALINGS;
  choice(NAME, "scaling.type", (scaling as RopeScaling | undefined)?.type, words);
  const { needs, defaults } = OPTIONS[scaling.type];
  const names = ["type", ...needs] as (keyof RopeScaling & string)[];
  return Object.freeze(filled(NAME, "scaling", scaling, names, defaults));
}

/** What wasm/bindings takes for a filled scaling. @internal */
export function scalingNumbers(memory: Memory, scaling: RopeScaling): ScalingNumbers {
  const given = scaling as unknown as Readonly<Record<string, unknown>>;
  // What a type does not have is not read; what it needs and lacks is refused.
  const has = (name: string): boolean =>
    name in OPTIONS[scaling.type].defaults || OPTIONS[scaling.type].needs.includes(name);
  const real = (name: string): number =>
    has(name) ? number(NAME, `scaling.${name}`, given[name]) : 0;
  const perhaps = (name: string): number => optional(NAME, `scaling.${name}`, given[name]);
  const whole = (name: string): number =>
    has(name) ? position(NAME, `scaling.${name}`, given[name]) : 0;
  const size = (name: string): number =>
    has(name) ? integer(NAME, `scaling.${name}`, given[name]) : 0;
  const values = (name: string) => memory.values(NAME, `scaling.${name}`, given[name], has(name));
  return {
    type: ROPE_SCALINGS.indexOf(scaling.type),
    factor: real("factor"),
    trainedLength: whole("maxPositionEmbeddings") || whole("originalMaxPositionEmbeddings"),
    betaFast: real("betaFast"),
    betaSlow: real("betaSlow"),
    truncate: !has("truncate") || boolean(NAME, "scaling.truncate", given.truncate),
    mscale: real("mscale"),
    mscaleAllDim: real("mscaleAllDim"),
    attentionFactor: perhaps("attentionFactor"),
    shortFactor: values("shortFactor"),
    longFactor: values("longFactor"),
    shortAttentionFactor: perhaps("shortAttentionFactor"),
    longAttentionFactor: perhaps("longAttentionFactor"),
    lowFreqFactor: real("lowFreqFactor"),
    highFreqFactor: real("highFreqFactor"),
    partialRotaryFactor: real("partialRotaryFactor"),
    invFreq: values("invFreq"),
    axes: size("axes"),
    frequencyHeads: size("frequencyHeads"),
  };
}
