import type { PosencAll } from "posenc";
import type { SwinCpbSettings } from "../settings/swin_cpb";
import type { Result } from "../types";
import type { Job } from "./job";
import { requireHead, requireValues } from "./limits";
import { randomLayers } from "./random";
import { alongTheRow, windowPicture } from "./windows";

export async function swinCpb(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: SwinCpbSettings,
): Promise<Result> {
  const { windowHeight, windowWidth, pretrained, coordinates, heads, head } = settings;
  const cells = windowHeight * windowWidth;
  requireValues("windowHeight", "the bias", [heads, cells, cells]);
  const encoding = posenc.swinCpb({
    windowHeight,
    windowWidth,
    pretrainedHeight: pretrained,
    pretrainedWidth: pretrained,
    heads,
    coordinates,
    layers: networkOf(settings),
  });
  try {
    requireHead(head, heads);
    let values: Float32Array = new Float32Array();
    await job.slices(1, () => {
      values = encoding.bias();
    });
    const window = { height: windowHeight, width: windowWidth };
    const normalised = coordinates === "normalised";
    const bias = {
      ...settings,
      values,
      queries: window,
      keys: window,
      quantity: `bias of head ${head}`,
      scale: normalised ? "sequential" : "diverging",
    } as const;
    const facts = { coordinates: encoding.coordinates() };
    return { picture: windowPicture(view, bias), curve: alongTheRow(bias), facts };
  } finally {
    encoding.dispose();
  }
}

/** The last layer of the published network has no bias. */
function networkOf({ hidden, heads, seed }: SwinCpbSettings) {
  const layers = randomLayers([2, hidden, heads], seed);
  return layers.map(({ weight, bias }, i) => (i === 0 ? { weight, bias } : { weight }));
}
