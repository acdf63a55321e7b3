import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/** `passing`: polite, and dropped if a newer message is waiting. */
type Politeness = "polite" | "passing" | "assertive";
type Announce = (text: string, politeness?: Politeness) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** Returns a function that announces text to assistive technology without moving focus. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

/** The page's two live regions, present from the start so that every message is announced. */
export function LiveRegions({ children }: { children: ReactNode }) {
  const [polite, announcePolitely] = useRegion();
  const [assertive, announceAtOnce] = useRegion();
  const announce = useCallback<Announce>(
    (text, politeness) => {
      if (politeness === "assertive") announceAtOnce(text);
      else announcePolitely(text, { passing: politeness === "passing" });
    },
    [announcePolitely, announceAtOnce],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" style={visuallyHidden}>
        {polite}
      </div>
      <div aria-live="assertive" style={visuallyHidden}>
        {assertive}
      </div>
    </AnnounceContext>
  );
}

function useRegion() {
  const [shown, setShown] = useState("");
  // Setting the same text twice would not change the region, so nothing would be announced.
  const [{ announce, stop }] = useState(() =>
    createAnnouncer((text) => setShown((last) => (text === last ? `${text}\u00a0` : text))),
  );
  useEffect(() => stop, [stop]);
  return [shown, announce] as const;
}

/** Minimum time between two messages of one live region. */
const MESSAGE_SPACING_MS = 1000;

type Message = { text: string; passing: boolean };

/**
 * Spaces the messages of one live region: at most one a second, in order, without immediate repeats. A
 * passing message, such as progress, is replaced by the next one if it was not announced yet.
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
  /** Drops waiting messages when the region is removed. */
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    waiting.length = 0;
  };
  return { announce, stop };
}
