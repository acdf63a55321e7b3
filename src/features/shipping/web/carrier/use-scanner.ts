import { type RefObject, useEffect, useRef } from "react";

/** Most milliseconds between two characters of a scanner, which types faster than a person. */
const GAP_MS = 40;
/** A scanned text has at least as many characters. */
const LEAST = 4;

/**
 * Takes what a wedge scanner types, wherever the focus is, and out of the field that it went into. "/" moves focus to the search
 * field, which has it at first where a mouse or a scanner is used.
 * @param onScan the text before the scanner's Enter
 */
export function useScanner(search: RefObject<HTMLInputElement | null>, onScan: (text: string) => void): void {
  useEffect(() => {
    if (!window.matchMedia("(pointer: fine)").matches) return;
    search.current?.focus({ preventScroll: true });
    search.current?.select();
  }, [search]);
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  }, [onScan]);
  // One listener for the whole visit: the page may be drawn again while a scan comes in.
  useEffect(() => {
    let typed = NOTHING;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const before = event.timeStamp - typed.at <= GAP_MS ? typed : NOTHING;
      if (event.key.length === 1) typed = addKey(before, event);
      else if (event.key === "Enter") {
        typed = NOTHING;
        if (before.text.length < LEAST) return;
        // The field in which the focus happened to be keeps its own value, and its Enter does nothing. A search is replaced.
        event.preventDefault();
        event.stopPropagation();
        if (before.field) restore(before.field, before.value);
        latest.current(before.text);
      }
      if (event.key !== "/" || before !== NOTHING || isField(event.target)) return;
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [search]);
}

/** Characters that follow each other as fast as a scanner types, and the field that they go into with its value before. */
type Typed = { text: string; at: number; field: HTMLInputElement | null; value: string };
const NOTHING: Typed = { text: "", at: Number.NEGATIVE_INFINITY, field: null, value: "" };

function addKey(before: Typed, { key, timeStamp: at, target }: KeyboardEvent): Typed {
  if (before !== NOTHING) return { ...before, text: before.text + key, at };
  const field = target instanceof HTMLInputElement ? target : null;
  return { text: key, at, field, value: field?.value ?? "" };
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.matches("input, textarea, select");

/** Sets a field's value so that React treats it as typed. */
function restore(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
