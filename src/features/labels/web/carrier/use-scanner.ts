import { type RefObject, useEffect } from "react";

/** Most milliseconds between two characters of a scanner, which types faster than a person. */
const GAP_MS = 40;
/** A scanned text has at least as many characters. */
const LEAST = 4;

/**
 * Takes what a wedge scanner types, wherever the focus is, and gives it back to the field that it went into. "/" moves focus to
 * the search field, which has it at first where a mouse or a scanner is used.
 * @param onScan the text before the scanner's Enter
 */
export function useScanner(search: RefObject<HTMLInputElement | null>, onScan: (text: string) => void): void {
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) search.current?.focus({ preventScroll: true });
  }, [search]);
  useEffect(() => {
    let scanned = { text: "", at: 0, field: null as Element | null, before: "" };
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const field = event.target instanceof Element ? event.target : null;
      const isTyping = field?.matches("input, textarea, select") === true;
      const isNext = event.timeStamp - scanned.at <= GAP_MS;
      if (event.key === "Enter") {
        const { text, field: typedInto, before } = scanned;
        scanned = { text: "", at: 0, field: null, before: "" };
        if (!isNext || text.length < LEAST || field === search.current) return;
        // The field in which the focus happened to be keeps its own value, and its Enter does nothing.
        event.preventDefault();
        event.stopPropagation();
        if (typedInto instanceof HTMLInputElement) restore(typedInto, before);
        onScan(text);
        return;
      }
      if (event.key.length !== 1) return;
      if (event.key === "/" && !isTyping && !isNext) {
        event.preventDefault();
        search.current?.focus();
        search.current?.select();
        return;
      }
      const before = isNext ? scanned.before : field instanceof HTMLInputElement ? field.value : "";
      scanned = { text: (isNext ? scanned.text : "") + event.key, at: event.timeStamp, field, before };
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [search, onScan]);
}

/** Sets the value of a field of React, which hears of it as of typing. */
function restore(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
