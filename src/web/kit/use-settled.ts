import { useEffect, useState } from "react";

/** Milliseconds without a change before the server is asked: else every letter would ask it. */
const PAUSE_MS = 250;

/** A value that is being typed or edited, as it was when that last paused. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
