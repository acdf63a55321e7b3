/** The only source of time, and the only way to wait for it. Tests and benches provide their own. */
export type Clock = {
  now(): Date;
  /** Milliseconds that only grow, also when the time is set to another. */
  steadyMs(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `work` once after `ms` milliseconds, unless the returned function is called before. Does not keep the process
   * alive.
   */
  after(ms: number, work: () => void): () => void;
  /** Set for the clock of a test, which replaces the database's clock too. */
  isStepped?: true;
};

export const systemClock: Clock = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end, { once: true });
    }),
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Calls `work` every `ms` milliseconds. @returns a function that ends it */
export function every(clock: Clock, ms: number, work: () => void): () => void {
  let cancel = () => undefined as void;
  const next = () => {
    cancel = clock.after(ms, () => {
      next();
      work();
    });
  };
  next();
  return () => cancel();
}

/** A signal that aborts after `ms` milliseconds with the same reason as `AbortSignal.timeout`. */
export function timeoutSignal(clock: Clock, ms: number): AbortSignal {
  const controller = new AbortController();
  clock.after(ms, () => controller.abort(new DOMException(`No answer within ${ms} ms.`, "TimeoutError")));
  return controller.signal;
}

/** Resolves as a promise does, or to null if that takes longer than `ms` milliseconds. */
export async function within<Value>(clock: Clock, ms: number, work: Promise<Value>): Promise<Value | null> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(() => null);
  return Promise.race([work, late]).finally(() => over.abort());
}
