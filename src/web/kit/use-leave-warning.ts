import { useEffect } from "react";

/** The browser asks before leaving the page while `active`. */
export function useLeaveWarning(active: boolean) {
  useEffect(() => (active ? warnOfLeaving() : undefined), [active]);
}

/** The browser asks before leaving from now on. @returns a function that ends it */
export function warnOfLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", warn);
  return () => window.removeEventListener("beforeunload", warn);
}
