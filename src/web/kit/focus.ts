import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";

/** Moves focus to the heading of the page. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>("main h1")?.focus(options);
}

/** A ref that focuses its element when it appears. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** True if focus is lost: on no element, the body, or a disabled control. */
export function isFocusLost(element: Element | null): boolean {
  return element === null || element === document.body || element.matches(":disabled");
}

/**
 * Moves focus to the heading when the focused element has been replaced by other content.
 * @param shown identifies the content; null until there is something to focus
 */
export function useHeadingFocus(shown: string | null): void {
  const before = useRef(shown);
  useEffect(() => {
    const last = before.current;
    before.current = shown;
    if (last !== null && last !== shown && isFocusLost(document.activeElement)) focusHeading();
  }, [shown]);
}

/**
 * A ref for a list (`tabIndex={-1}`) whose buttons disappear with their rows; the list then takes focus.
 * @param first takes focus instead if it exists: the button to go back
 */
export function useFocusStays<E extends HTMLElement>(first?: RefObject<HTMLElement | null>) {
  const place = useRef<E>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    if (wasInside.current && isFocusLost(document.activeElement))
      (first?.current ?? place.current)?.focus({ preventScroll: true });
    wasInside.current = place.current?.contains(document.activeElement) ?? false;
  });
  return place;
}

/**
 * For `useFocusThrough`: what replaces a control that removed itself hands focus to its own first control.
 * @returns the place, and the ref of the element around it (`tabIndex={-1}`), which takes focus if it has no control
 */
export function useFirstControl() {
  const place = useRef<HTMLElement>(null);
  const around = useCallback((element: HTMLElement | null) => {
    place.current = element;
  }, []);
  const first = useMemo(
    () => ({
      get current() {
        return place.current?.querySelector<HTMLElement>("button, a[href], input") ?? place.current;
      },
    }),
    [],
  );
  return [first, around] as const;
}

type Places = { during: RefObject<HTMLElement | null>; after: RefObject<HTMLElement | null> };

/**
 * Keeps focus during work that disables its start button: focus moves to `during` while the work runs and to
 * `after` when it ends, unless the user has moved it.
 */
export function useFocusThrough(working: boolean, { during, after }: Places) {
  const wasWorking = useRef(false);
  useEffect(() => {
    if (wasWorking.current === working) return;
    wasWorking.current = working;
    if (isFocusLost(document.activeElement)) (working ? during : after).current?.focus();
  }, [working, during, after]);
}
