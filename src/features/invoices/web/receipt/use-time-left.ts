import { useEffect, useRef, useState } from "react";

/** Less says little about the pace. */
const MIN_MS = 5_000;
const MIN_DONE = 5;
/** So long nothing was done: how long it takes is no longer known. */
const STALLED_MS = 20_000;

/** Seconds until all is done, by the pace since the page was opened; null while that is not known. */
export function useTimeLeft(done: number, total: number): number | null {
  const first = useRef({ at: 0, done });
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (first.current.at === 0) first.current = { at: Date.now(), done };
    setSeconds(secondsLeft(Date.now() - first.current.at, done - first.current.done, total - done));
    const stalled = setTimeout(() => setSeconds(null), STALLED_MS);
    return () => clearTimeout(stalled);
  }, [done, total]);
  return seconds;
}

function secondsLeft(ms: number, done: number, left: number): number | null {
  if (left === 0 || ms < MIN_MS || done < MIN_DONE) return null;
  return ((ms / done) * left) / 1_000;
}
