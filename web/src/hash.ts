import { encodingOf } from "./encodings";
import type { Encoding, Parameter } from "./encodings/types";
import { ENCODING_IDS, type EncodingId, type Settings, type SettingValue } from "./types";

/**
 * The address of a picture, as in #1/rope?preset=gpt-j-6b&view=sine&base=500000: the version, the
 * encoding, and what differs from the encoding's first preset and view. What a hash does not say,
 * or says in a way that cannot be read, stays at its default.
 */
const VERSION = "1";

export interface Place {
  readonly encoding: EncodingId;
  readonly preset: string;
  readonly view: string;
  readonly settings: Settings;
}

export function presetOf(encoding: Encoding, id: string) {
  return encoding.presets.find((preset) => preset.id === id) ?? encoding.presets[0];
}

/** Where an encoding starts. */
export function startOf(id: EncodingId, preset = "", view = ""): Place {
  const encoding = encodingOf(id);
  const found = presetOf(encoding, preset);
  return {
    encoding: id,
    preset: found.id,
    view: (encoding.views.find((one) => one.id === view) ?? encoding.views[0]).id,
    settings: found.settings,
  };
}

function readValue(parameter: Parameter, text: string): SettingValue | undefined {
  if (parameter.kind === "choice") {
    return parameter.options.find((option) => String(option.value) === text)?.value;
  }
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
}

export function readHash(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [version, id] = path.split("/");
  const known = ENCODING_IDS.find((one) => one === id);
  if (version !== VERSION || !known) return startOf(ENCODING_IDS[0]);
  const words = new URLSearchParams(query);
  const place = startOf(known, words.get("preset") ?? "", words.get("view") ?? "");
  const settings: Record<string, SettingValue> = { ...place.settings };
  for (const parameter of encodingOf(known).parameters) {
    const text = words.get(parameter.name);
    const value = text === null ? undefined : readValue(parameter, text);
    if (value !== undefined) settings[parameter.name] = value;
  }
  return { ...place, settings };
}

export function writeHash({ encoding, preset, view, settings }: Place): string {
  const start = startOf(encoding);
  const base = presetOf(encodingOf(encoding), preset).settings;
  const words = new URLSearchParams();
  if (preset !== start.preset) words.set("preset", preset);
  if (view !== start.view) words.set("view", view);
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.is(value, base[name])) words.set(name, String(value));
  }
  const query = words.toString();
  return `#${VERSION}/${encoding}${query ? `?${query}` : ""}`;
}
