import { useCallback, useLayoutEffect, useRef } from "react";

/** Whether the component is still mounted: late work must not pull back a user who left the page. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  // Runs before the effects of children, which may call it immediately.
  useLayoutEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
