import type { Preset } from "../encodings/types";
import type { Settings } from "../types";

/**
 * The controls of each encoding as plain values, and the published models that set them. Parameters
 * are those of each model's config.json or, where that file is silent (layouts, masks), of its code.
 * Settings are a `type`, not an `interface`: so they are Settings.
 */
export type Presets<S extends Settings> = readonly [Preset<S>, ...Preset<S>[]];

/** What part is shown: positions offset .. offset + length - 1. */
export type Window = {
  readonly offset: number;
  readonly length: number;
};

/** And the curve's distances, up to curveLength. */
export type Shown = Window & {
  readonly curveLength: number;
  readonly logDistance: boolean;
};
