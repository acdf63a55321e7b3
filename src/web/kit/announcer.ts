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

type Message = { text: string; passing: boolean };

/**
 * Spaces the messages of one live region: at most one a second, in their order; a repeat of the last is dropped. A
 * passing message, such as how far something is, gives way to whatever comes after it before it was said.
 * @param write puts the text into the region
 */
export function createAnnouncer(timers: Timers, write: (text: string) => void) {
  let lastText = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: number | null = null;
  const waiting: Message[] = [];

  const say = (text: string) => {
    lastText = text;
    lastAt = timers.now();
    write(text);
  };
  const sayNext = () => {
    timer = null;
    const next = waiting.shift();
    if (next) say(next.text);
    if (waiting.length > 0) timer = timers.setTimeout(sayNext, MESSAGE_SPACING_MS);
  };
  const announce = (text: string, { passing = false }: { passing?: boolean } = {}): void => {
    const wait = lastAt + MESSAGE_SPACING_MS - timers.now();
    if (waiting.length === 0 && wait <= 0) return say(text);
    if (waiting.at(-1)?.passing) waiting.pop();
    if (text === (waiting.at(-1)?.text ?? lastText)) return;
    waiting.push({ text, passing });
    timer ??= timers.setTimeout(sayNext, wait);
  };
  /** For when the region has left the page: what waits is not said any more. */
  const stop = () => {
    if (timer !== null) timers.clearTimeout(timer);
    timer = null;
    waiting.length = 0;
  };
  return { announce, stop };
}
