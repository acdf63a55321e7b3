import { useEffect } from "react";

/** Makes the browser ask before leaving the page while `active`. */
export function useLeaveWarning(active: boolean) {
  useEffect(() => (active ? warnOfLeaving() : undefined), [active]);
}

/** Makes the browser ask before leaving. @returns a function that ends this */
export function warnOfLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", warn);
  return () => window.removeEventListener("beforeunload", warn);
}
