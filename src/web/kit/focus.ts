import { type RefObject, useEffect, useRef } from "react";

/** Moves the keyboard to the heading of the page. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>("main h1")?.focus(options);
}

/** A ref: what appears with it takes the keyboard. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Whether an element cannot hold the keyboard: there is none, or it can no longer be used. */
export function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.matches(":disabled");
}

/**
 * Moves the keyboard to the heading when what it was on has gone because something else is shown in its place.
 * @param shown names what is shown; null while nothing is there yet that could hold the keyboard
 */
export function useHeadingFocus(shown: string | null): void {
  const before = useRef(shown);
  useEffect(() => {
    const last = before.current;
    before.current = shown;
    if (last !== null && last !== shown && isNowhere(document.activeElement)) focusHeading();
  }, [shown]);
}

/**
 * A ref for a list (`tabIndex={-1}`) whose buttons go with their rows: it takes the keyboard when that has happened.
 * @param first what takes it instead while it is there: the way back
 */
export function useFocusStays<E extends HTMLElement>(first?: RefObject<HTMLElement | null>) {
  const place = useRef<E>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    if (wasInside.current && isNowhere(document.activeElement))
      (first?.current ?? place.current)?.focus({ preventScroll: true });
    wasInside.current = place.current?.contains(document.activeElement) ?? false;
  });
  return place;
}

type Places = { during: RefObject<HTMLElement | null>; after: RefObject<HTMLElement | null> };

/**
 * Keeps the keyboard's place through work that disables the button it was started with: focus moves to `during` while
 * the work runs and to `after` when it has ended, unless the user has gone elsewhere.
 */
export function useFocusThrough(working: boolean, { during, after }: Places) {
  const wasWorking = useRef(false);
  useEffect(() => {
    if (wasWorking.current === working) return;
    wasWorking.current = working;
    if (isNowhere(document.activeElement)) (working ? during : after).current?.focus();
  }, [working, during, after]);
}
