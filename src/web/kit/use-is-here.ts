import { useCallback, useLayoutEffect, useRef } from "react";

/** Whether what asks is still on the page: what ends later must not take whoever has gone elsewhere back. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  // Before the effects of what is inside, which may ask at once.
  useLayoutEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
