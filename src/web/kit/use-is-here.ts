import { useCallback, useLayoutEffect, useRef } from "react";

/** Whether the component is still mounted: late work must not pull a user back who has left the page. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  // Runs before the effects of children, which may call it at once.
  useLayoutEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
