import { focusHeading } from "#web/kit/focus.ts";
import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/** More pages back than anybody goes. */
const MOST_POSITIONS = 100;
const positions = new Map<string, number>();

/** On a change of page within the app: focus to the heading, scroll to the top; back and forward restore the scroll. */
export function RouteFocus() {
  const { key, pathname } = useLocation();
  const how = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) {
      shown.current = pathname;
      window.scrollTo(0, how === "POP" ? (positions.get(key) ?? 0) : 0);
      focusHeading({ preventScroll: true });
    }
    const remember = () => {
      positions.set(key, window.scrollY);
      const oldest = positions.size > MOST_POSITIONS ? positions.keys().next().value : undefined;
      if (oldest !== undefined) positions.delete(oldest);
    };
    window.addEventListener("scroll", remember, { passive: true });
    return () => window.removeEventListener("scroll", remember);
  }, [key, pathname, how]);
  return null;
}
