import { browserTimers, type Timers } from "#web/kit/announcer.ts";
import {
  idleProgress,
  nextProgress,
  type Progress,
  PROGRESS_MS,
  type ProgressEvent,
} from "#web/kit/progress/progress.ts";
import { useEffect, useReducer } from "react";

/** Runs the progress bar's states over timers; leaving the page stops them. */
export function useProgress(timers: Timers = browserTimers): [Progress, (event: ProgressEvent) => void] {
  const [state, dispatch] = useReducer(nextProgress, idleProgress);
  const due = dueEvent(state);
  const ms = due?.ms;
  const kind = due?.kind;
  useEffect(() => {
    if (ms === undefined || kind === undefined) return undefined;
    const timer = timers.setTimeout(() => dispatch({ kind }), ms);
    return () => timers.clearTimeout(timer);
    // The creep is part of the state's identity: each point starts the next second.
  }, [timers, ms, kind, state.creep]);
  return [state, dispatch];
}

type Due = { kind: "processing-delay-over" | "second-passed" | "reset-delay-over"; ms: number };

function dueEvent(state: Progress): Due | null {
  if (state.full) return { kind: "reset-delay-over", ms: PROGRESS_MS.reset };
  if (state.phase === "processing") return { kind: "second-passed", ms: PROGRESS_MS.creep };
  if (state.phase === "uploading" && state.upload >= 100) {
    return { kind: "processing-delay-over", ms: PROGRESS_MS.processingDelay };
  }
  return null;
}
