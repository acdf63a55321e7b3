/** Shortest time between two messages of one live region. */
const MESSAGE_SPACING_MS = 1000;

type Message = { text: string; passing: boolean };

/**
 * Spaces the messages of one live region: at most one a second, in their order; a repeat of the last is dropped. A
 * passing message, such as how far something is, gives way to whatever comes after it before it was said.
 * @param write puts the text into the region
 */
export function createAnnouncer(write: (text: string) => void) {
  let lastText = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const waiting: Message[] = [];

  const say = (text: string) => {
    lastText = text;
    lastAt = Date.now();
    write(text);
  };
  const sayNext = () => {
    timer = null;
    const next = waiting.shift();
    if (next) say(next.text);
    if (waiting.length > 0) timer = setTimeout(sayNext, MESSAGE_SPACING_MS);
  };
  const announce = (text: string, { passing = false }: { passing?: boolean } = {}): void => {
    const wait = lastAt + MESSAGE_SPACING_MS - Date.now();
    if (waiting.length === 0 && wait <= 0) return say(text);
    if (waiting.at(-1)?.passing) waiting.pop();
    if (text === (waiting.at(-1)?.text ?? lastText)) return;
    waiting.push({ text, passing });
    timer ??= setTimeout(sayNext, wait);
  };
  /** For when the region has left the page: what waits is not said any more. */
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    waiting.length = 0;
  };
  return { announce, stop };
}
