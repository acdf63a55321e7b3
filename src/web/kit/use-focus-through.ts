import { isNowhere } from "#web/kit/focus.ts";
import { type RefObject, useEffect, useRef } from "react";

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
