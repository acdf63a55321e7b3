import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";

/** Moves focus to the heading of the page. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>("main h1")?.focus(options);
}

/** A ref that focuses its element when it appears. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/**
 * A ref that focuses its element, which comes with an answer, unless the user has gone elsewhere meanwhile: out of the
 * element around it with `data-place`.
 */
export function takeFocusLate(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (isFocusLost(activeElement) || element?.closest("[data-place]")?.contains(activeElement))
    element?.focus();
}

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

/** Time for the content in the place of a control to take focus itself. */
const WAIT_MS = 100;
const CONTROLS = "button, a, input, select, textarea, summary, label";

/**
 * Keeps the place of the keyboard. When the focused control is removed or disabled, and nothing else takes focus, what is now in
 * its place does, else what is around that: never a control, which a second Enter would use.
 * @returns a function that ends it
 */
export function keepPlace(): () => void {
  let focused: Element | null = null;
  let path: { around: Element; at: number }[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isGone = () => focused !== null && (!focused.isConnected || focused.matches(":disabled"));
  const remember = ({ target }: FocusEvent) => {
    focused = target as Element;
    path = readPath(focused);
  };
  // A click beside it isn't a loss.
  const leave = () =>
    queueMicrotask(() => {
      if (!isGone() && isFocusLost(document.activeElement)) focused = null;
    });
  const restore = () => {
    timer = undefined;
    if (!isGone() || !isFocusLost(document.activeElement)) return;
    const [inside, ...outside] = path.filter(({ around }) => around.isConnected);
    focused = null;
    if (!inside) return;
    const { around, at } = inside;
    const places = [
      around.children[at] ?? around.lastElementChild,
      around,
      ...outside.map((each) => each.around),
    ];
    places.some((place) => place instanceof HTMLElement && takePlace(place));
  };
  const observer = new MutationObserver((changes) => {
    if (isGone()) timer ??= setTimeout(restore, WAIT_MS);
    else if (focused && changes.some(({ type }) => type === "childList")) path = readPath(focused);
  });
  const options = { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] };
  observer.observe(document.body, options);
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", leave);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("focusin", remember);
    document.removeEventListener("focusout", leave);
  };
}

/** The elements around one up to the page's main part, the innermost first, each with the position of what leads inside. */
function readPath(element: Element): { around: Element; at: number }[] {
  const path = [];
  const main = element.closest("main");
  for (let inner = element; inner.parentElement && inner.parentElement !== main; inner = inner.parentElement)
    path.push({ around: inner.parentElement, at: [...inner.parentElement.children].indexOf(inner) });
  return main ? path : [];
}

/** @returns whether the element has focus now */
function takePlace(place: HTMLElement): boolean {
  if (place.matches(CONTROLS)) return false;
  if (!place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    // Another window's focus blurs it, too, and comes back to it.
    const leave = () => {
      if (document.activeElement === place) return;
      place.removeAttribute("tabindex");
      place.removeEventListener("blur", leave);
    };
    place.addEventListener("blur", leave);
    place.focus({ preventScroll: true });
    leave();
  } else place.focus({ preventScroll: true });
  return document.activeElement === place;
}
