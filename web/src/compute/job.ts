/** Thrown inside a job when a newer request or the Cancel button ended it. */
export class Cancelled extends Error {}

const SLICE_MILLISECONDS = 24;

/** Lets messages in: a cancel can only arrive between two slices of work. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/**
 * One request's work, cut into slices of about 24 ms so that it can report progress and stop.
 * Slicing changes no bit: a slice of positions gives the bits that the whole gives.
 */
export class Job {
  private stopped = false;
  private stage = 0;

  constructor(
    private readonly stages: number,
    private readonly report: (fraction: number) => void,
  ) {}

  cancel(): void {
    this.stopped = true;
  }

  /** Runs `work(first, size)` over `count` rows and counts as one of the job's stages. */
  async slices(count: number, work: (first: number, size: number) => void): Promise<void> {
    let first = 0;
    let size = 16;
    let pause = performance.now() + SLICE_MILLISECONDS;
    while (first < count) {
      size = Math.min(size, count - first);
      const start = performance.now();
      work(first, size);
      const now = performance.now();
      first += size;
      if (now - start < SLICE_MILLISECONDS / 3) size *= 2;
      if (now - start > SLICE_MILLISECONDS) size = Math.max(1, size >> 1);
      if (now < pause) continue;
      this.report((this.stage + first / count) / this.stages);
      await breathe();
      if (this.stopped) throw new Cancelled();
      pause = performance.now() + SLICE_MILLISECONDS;
    }
    this.stage += 1;
    await breathe();
    if (this.stopped) throw new Cancelled();
  }
}
