import { cancel, compute, connect } from "./compute/client";
import { Cancelled, Job } from "./compute/job";
import { encodingOf } from "./encodings";
import type { Cell } from "./encodings/types";
import { type Place, presetOf, readHash, startOf, writeHash } from "./hash";
import type { EncodingId, Failure, Result, Settings, SettingValue } from "./types";

/** Edits closer together than this become one step of the browser's history. */
const HISTORY_MILLISECONDS = 500;
/** Work that takes longer shows its progress and can be cancelled. */
const PATIENCE_MILLISECONDS = 100;

/** What a result was computed from: the words beside a picture must speak of the same thing. */
export interface Shown {
  readonly place: Place;
  readonly result: Result;
}

/** The state of the page: where it is, what it shows, and what is under way. */
class Explorer {
  place = $state.raw<Place>(readHash(location.hash));
  shown = $state.raw<Shown>();
  failure = $state.raw<Failure>();
  cancelled = $state(false);
  /** Whether the picture is still to come, or to change. */
  busy = $state(true);
  /** Part of the running request done, once it has taken long enough to be shown. */
  progress = $state<number>();
  /** The crosshair, as indices into the picture. */
  cursor = $state.raw({ row: 0, column: 0 });
  library = $state.raw<{ version: string; kernel: string }>();

  readonly encoding = $derived(encodingOf(this.place.encoding));
  readonly preset = $derived(presetOf(this.encoding, this.place.preset));
  readonly edited = $derived(
    Object.entries(this.place.settings).some(
      ([name, value]) => !Object.is(value, this.preset.settings[name]),
    ),
  );
  readonly cell = $derived.by<Cell | undefined>(() => {
    const picture = this.shown?.result.picture;
    if (!picture) return undefined;
    const row = Math.min(this.cursor.row, picture.rows.count - 1);
    const column = Math.min(this.cursor.column, picture.columns.count - 1);
    return {
      row: picture.rows.first + row,
      column: picture.columns.first + column,
      value: picture.values[row * picture.columns.count + column] ?? Number.NaN,
    };
  });

  private active = false;
  /** The place to be computed next. */
  private wanted: Place | undefined;
  private own: Job | undefined;
  private historyTimer: number | undefined;

  start(): void {
    connect((fraction) => {
      if (this.progress !== undefined) this.progress = fraction;
    }).then(
      (library) => {
        this.library = library;
      },
      (error: unknown) => {
        this.busy = false;
        this.failure = {
          field: "",
          message: error instanceof Error ? error.message : String(error),
        };
      },
    );
    addEventListener("popstate", () => this.follow());
    addEventListener("hashchange", () => this.follow());
    void this.compute();
  }

  choose(encoding: EncodingId): void {
    if (encoding !== this.place.encoding) this.go(startOf(encoding), true);
  }

  choosePreset(preset: string): void {
    this.go(startOf(this.place.encoding, preset, this.place.view), true);
  }

  chooseView(view: string): void {
    if (view !== this.place.view) this.go({ ...this.place, view }, true);
  }

  set(name: string, value: SettingValue): void {
    const settings: Settings = { ...this.place.settings, [name]: value };
    this.go({ ...this.place, settings }, false);
  }

  retry(): void {
    void this.compute();
  }

  cancel(): void {
    this.own?.cancel();
    cancel();
  }

  /** Runs a job of the page itself, such as writing a file; undefined when it was cancelled. */
  async run<T>(work: (job: Job) => Promise<T>): Promise<T | undefined> {
    const start = performance.now();
    const job = new Job(1, (fraction) => {
      if (performance.now() - start > PATIENCE_MILLISECONDS) this.progress = fraction;
    });
    this.own = job;
    try {
      return await work(job);
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      throw error;
    } finally {
      this.progress = undefined;
    }
  }

  private go(place: Place, atOnce: boolean): void {
    clearTimeout(this.historyTimer);
    if (atOnce) this.record();
    this.place = place;
    if (atOnce) this.record();
    else this.historyTimer = window.setTimeout(() => this.record(), HISTORY_MILLISECONDS);
    void this.compute();
  }

  private record(): void {
    const hash = writeHash(this.place);
    if (hash !== (location.hash || writeHash(readHash("")))) history.pushState(null, "", hash);
  }

  private follow(): void {
    clearTimeout(this.historyTimer);
    const place = readHash(location.hash);
    if (writeHash(place) === writeHash(this.place)) return;
    this.place = place;
    void this.compute();
  }

  /**
   * Computes the present place. One request is under way at a time: while it is a short one, so that
   * a slider that moves on still shows what it passes; a long one gives way to the newest.
   */
  private async compute(): Promise<void> {
    this.wanted = this.place;
    this.busy = true;
    if (this.active) {
      if (this.progress !== undefined) cancel();
      return;
    }
    this.active = true;
    for (let place = this.next(); place; place = this.next()) {
      const timer = setTimeout(() => {
        this.progress ??= 0;
        if (this.wanted) cancel();
      }, PATIENCE_MILLISECONDS);
      const outcome = await compute(place);
      clearTimeout(timer);
      this.progress = undefined;
      this.failure = outcome.status === "failed" ? outcome.failure : undefined;
      this.cancelled = outcome.status === "cancelled" && !this.wanted;
      if (outcome.status === "ready") this.show({ place, result: outcome.result });
    }
    this.active = false;
    this.busy = false;
  }

  private next(): Place | undefined {
    const place = this.wanted;
    this.wanted = undefined;
    return place;
  }

  private show(shown: Shown): void {
    const before = this.shown;
    const { picture } = shown.result;
    this.shown = shown;
    if (before?.place.encoding === shown.place.encoding && before.place.view === shown.place.view) {
      return;
    }
    this.cursor = {
      row: Math.floor(picture.rows.count / 2),
      column: Math.floor(picture.columns.count / 4),
    };
  }
}

export const explorer = new Explorer();
