import { useState, useEffect } from "react";

/** The typed search text, and the text searched for once typing has paused. */
export function useSearch(): [typed: string, type: (text: string) => void, search: string] {
  const [typed, setTyped] = useState("");
  return [typed, setTyped, useSettled(typed.trim())];
}

/** Milliseconds without a change before a call, so that not every letter makes one. */
const PAUSE_MS = 250;

/** The last value before a pause in typing or editing. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
