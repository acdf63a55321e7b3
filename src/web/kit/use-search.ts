import { useState, useEffect } from "react";

/** Typed search text, and the text used for searching once typing has paused. */
export function useSearch(): [typed: string, type: (text: string) => void, search: string] {
  const [typed, setTyped] = useState("");
  return [typed, setTyped, useSettled(typed.trim())];
}

/** Milliseconds without a change before a call, so that not every keystroke causes one. */
const PAUSE_MS = 250;

/** Last value before a pause in typing or editing. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
