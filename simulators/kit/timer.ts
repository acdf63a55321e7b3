/** Real time, or a test's: the simulators wait and date by nothing else. */
export type Timer = {
  now(): Date;
  /** Calls `work` once after `ms` milliseconds; keeps no process alive. @returns a function that cancels it */
  after(ms: number, work: () => void): () => void;
};

export const machineTimer: Timer = {
  now: () => new Date(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const sleep = (timer: Timer, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timer.after(ms, resolve);
  });

/** A signal that aborts after `ms` milliseconds. */
export function timeoutSignal(timer: Timer, ms: number): AbortSignal {
  const controller = new AbortController();
  timer.after(ms, () => controller.abort());
  return controller.signal;
}

export type Repeating = {
  /** Begins again, if there is anything to do. */
  wake(): void;
  /** Ends it. @returns once the work in progress has ended */
  stop(): Promise<void>;
};

/** Does work every `ms` milliseconds while it is needed, never twice at a time. */
export function repeatWhile(
  timer: Timer,
  ms: number,
  { isNeeded, work }: { isNeeded(): boolean; work(): Promise<void> },
): Repeating {
  let running: Promise<void> | null = null;
  let cancel: (() => void) | null = null;
  let isOver = false;
  const wake = () => {
    if (isOver || cancel || !isNeeded()) return;
    cancel = timer.after(ms, () => {
      cancel = null;
      running ??= work().finally(() => {
        running = null;
        wake();
      });
    });
  };
  wake();
  return {
    wake,
    stop: async () => {
      isOver = true;
      cancel?.();
      await running;
    },
  };
}
