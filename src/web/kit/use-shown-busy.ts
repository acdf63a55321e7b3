import { useEffect, useRef, useState } from "react";

/** A quick answer makes no flash; what has appeared can be seen. */
const SHOW_AFTER_MS = 200;
const SHOW_AT_LEAST_MS = 400;

/** Whether to show that something is busy: from 200 ms on, and then for at least 400 ms. */
export function useShownBusy(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (isBusy === isShown) return undefined;
    const wait = isBusy ? SHOW_AFTER_MS : since.current + SHOW_AT_LEAST_MS - performance.now();
    const timer = setTimeout(() => {
      since.current = performance.now();
      setShown(isBusy);
    }, wait);
    return () => clearTimeout(timer);
  }, [isBusy, isShown]);
  return isShown;
}
