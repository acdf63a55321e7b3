import { focusHeading, isNowhere } from "#web/kit/focus.ts";
import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/** More pages back than anybody goes. */
const MAX_POSITIONS = 100;
const positions = new Map<string, number>();

/**
 * On a change of page within the app: focus to the heading, scroll to the top. Back and forward restore the scroll,
 * between the views of one page too; the keyboard is not left on what has gone.
 */
export function RouteFocus() {
  const { key, pathname, search } = useLocation();
  const how = useNavigationType();
  const shown = useRef({ pathname, search });
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, search };
    if (before.pathname !== pathname) {
      window.scrollTo(0, how === "POP" ? (positions.get(key) ?? 0) : 0);
      focusHeading({ preventScroll: true });
    } else if (before.search !== search && how === "POP") {
      window.scrollTo(0, positions.get(key) ?? window.scrollY);
      if (isNowhere(document.activeElement)) focusHeading({ preventScroll: true });
    }
    const remember = () => {
      positions.set(key, window.scrollY);
      const oldest = positions.size > MAX_POSITIONS ? positions.keys().next().value : undefined;
      if (oldest !== undefined) positions.delete(oldest);
    };
    window.addEventListener("scroll", remember, { passive: true });
    return () => window.removeEventListener("scroll", remember);
  }, [key, pathname, search, how]);
  return null;
}
