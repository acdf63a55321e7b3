import { browserTimers, type Timers } from "#web/kit/announcer.ts";
import { useEffect, useState } from "react";

/** A value once it has not changed for `ms`, so that not every letter asks the server. */
export function useLateValue(value: string, ms: number, timers: Timers = browserTimers): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = timers.setTimeout(() => setLate(value), ms);
    return () => timers.clearTimeout(timer);
  }, [value, ms, timers]);
  return late;
}
