/** Timers a test can replace. */
export type Timers = {
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(id: number): void;
};

export const browserTimers: Timers = {
  now: () => Date.now(),
  setTimeout: (run, ms) => window.setTimeout(run, ms),
  clearTimeout: (id) => window.clearTimeout(id),
};

/** Shortest time between two messages of one live region. */
export const MESSAGE_SPACING_MS = 1000;

/**
 * Spaces the messages of one live region: at most one a second, the latest wins, a repeat within the second is dropped.
 * @param write puts the text into the region
 */
export function createAnnouncer(timers: Timers, write: (text: string) => void): (text: string) => void {
  let lastText = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting: { text: string; timer: number } | null = null;

  const say = (text: string) => {
    lastText = text;
    lastAt = timers.now();
    waiting = null;
    write(text);
  };
  return (text) => {
    const wait = lastAt + MESSAGE_SPACING_MS - timers.now();
    if (waiting) {
      waiting.text = text;
      return;
    }
    if (wait <= 0) return say(text);
    if (text === lastText) return;
    const next = { text, timer: timers.setTimeout(() => say(next.text), wait) };
    waiting = next;
  };
}
