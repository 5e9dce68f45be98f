// The README's table of performance, written from results.json.
import { NOISY, TIE } from "./statistics.mjs";
import { ratio, time } from "./table.mjs";

const begin = "<!-- bench: written by npm run bench -- --readme -->";
const end = "<!-- bench: end -->";

/** What each row is called, by the workload's name. */
const rows = {
  "rope/half/in_place": "rope, half, q [32, 2048, 128], ready table, in place",
  "rope/interleaved/in_place": "the same, interleaved",
  "rope/half/callers_array": "the same, half, a caller's typed array, copies counted",
  "rope/decode_ready": "rope, one token [32, 1, 128], the call included",
  "angles/exact": "angle tables [131072, 64], both",
  "sinusoidal/half": "sinusoidal [8192, 1024], within 1 ulp",
  "alibi/written": "alibi, bias [32, 1024, 1024] written out",
  "t5/written": "t5, the same",
  "learned/rows_and_add": "learned rows looked up and added, [2048, 1024]",
  "resize/bicubic": "bicubic, 37 x 37 to 64 x 64, 1024 columns",
  "scores/shaw": "shaw, scores [12, 512, 512]",
  "scores/deberta": "deberta, the same",
  "scores/transformer_xl": "transformer_xl, the same",
  "attention/none": "attention [8, 1024, 64]",
  "attention/alibi": "attention with alibi, where peers meet subnormal weights",
  "attention/t5": "attention with t5",
  "attention/rope": "attention, q and k rotated inside",
  "attention/causal": "attention, causal",
};

/** The README with its section between the two markers written anew. */
export function withSection(readme, all) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no lines ${begin} and ${end}`);
  return `${readme.slice(0, from)}${begin}\n${sectionOf(all)}${readme.slice(to)}`;
}

/** The table, with the machine and how noisy it was. */
export function sectionOf({ machine, noise, results, quick }) {
  if (quick) throw new Error("these are the results of --quick: run npm run bench first");
  const lines = Object.entries(rows).flatMap(([name, label]) => {
    return ["reproducible", "fast"].flatMap((numerics) => {
      const cells = ["wasm", "native"].flatMap((build) => cellsOf(results, name, build, numerics));
      const what = numerics === "fast" ? "the same, fast numerics" : label;
      return cells.every((cell) => cell === "") ? [] : [`| ${[what, ...cells].join(" | ")} |`];
    });
  });
  const beside = ["the best JavaScript or wasm peer", "the best native peer"];
  const [first, second] = beside.map((peer) => `it is, beside ${peer}`);
  const heading = ["workload", "posenc, wasm", first, "posenc, native", second];
  const table = [`| ${heading.join(" | ")} |`, `|${"---|".repeat(heading.length)}`, ...lines];
  return `${[...wrapped(aboutRun(machine, noise, results)), "", ...table].join("\n")}\n`;
}

function cellsOf(results, name, build, wanted) {
  const of = results.filter(({ workload, build: where }) => workload === name && where === build);
  const posenc = of.find(({ subject, numerics }) => subject === "posenc" && numerics === wanted);
  if (!posenc) return ["", ""];
  const share = posenc.share_of_limit;
  const ofLimit = share === null ? "" : `, ${share.toFixed(2)} of the limit`;
  const [best, times] = Object.entries(posenc.ratios).sort(([, a], [, b]) => a - b)[0] ?? [];
  const isTie = times >= 1 / TIE && times < TIE;
  const noisy = of.some(({ spread }) => spread > NOISY) ? " (noisy)" : "";
  return [
    `${time(posenc.median_s)}${ofLimit}`,
    best ? `${ratio(times)} ${isTie ? "with" : "than"} ${best}${noisy}` : "",
  ];
}

function aboutRun(machine, noise, results) {
  const { processor, cores, memory_gib, huge_pages } = machine;
  const { compiler, node, kernels, versions, date } = machine;
  const pages = huge_pages ? `, huge pages ${huge_pages}` : "";
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  const disagree = noise.noisy.length;
  const rounds = Math.max(...results.map((result) => result.rounds));
  return [
    `Measured by \`npm run bench\` on ${date}: ${processor}, ${cores} cores, ${memory_gib} GiB${pages};`,
    `${compiler}, Node ${node}; kernels ${kernels.native} and ${kernels.wasm}; against`,
    `${versions.filter((version) => !/^(posenc|Node)/.test(version)).join(", ")}. One thread, warm,`,
    `memory reused by everyone, all subjects in turn, medians of ${rounds} rounds. A peer's figure is its operator`,
    "alone, without the memory that a call of it allocates. The limit is what a loop that fills,",
    "copies or changes as much memory, or that multiplies and adds in registers, reached in the",
    "same process. A ratio below 1.3 is a tie.",
    `The machine was shared: the middle half of the rounds lay within ${percent(noise.median_spread)}`,
    `of the median, load ${noise.load_before.toFixed(1)} to ${noise.load_after.toFixed(1)};`,
    `${disagree === 0 ? "no" : disagree} of ${results.length} results lay further apart than a third.`,
  ].join(" ");
}

/** Lines of at most 100 columns. */
function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line.length + word.length < 100) lines[lines.length - 1] = line ? `${line} ${word}` : word;
    else lines.push(word);
  }
  return lines;
}
