import { useEffect, useReducer } from "react";

/** The creep stops short of the end: full means done. */
const CREEP_LIMIT = 99;

/** `upload` and `creep` are points from 0 to 100; `full` is set when the work has ended well. */
export type Progress = {
  phase: "idle" | "uploading" | "processing";
  upload: number;
  creep: number;
  full: boolean;
};

/** `waited`: the time of the state `of` is over. */
export type ProgressEvent =
  | { kind: "started" | "finished" | "failed" }
  | { kind: "waited"; of: Progress }
  | { kind: "sent"; percent: number };

export const idleProgress: Progress = { phase: "idle", upload: 0, creep: 0, full: false };

/** The bar's states: idle, uploading, processing, back to idle. Events that come late change nothing. */
export function nextProgress(state: Progress, event: ProgressEvent): Progress {
  if (event.kind === "started") return { ...idleProgress, phase: "uploading" };
  if (event.kind === "failed" || state.phase === "idle") return idleProgress;
  if (event.kind === "sent") return withSent(state, event.percent);
  // A timer may be over while the page has yet to draw the state behind its own: that one has its time still.
  if (event.kind === "waited") return event.of === state ? afterWait(state) : state;
  return { ...state, phase: "processing", full: true };
}

/** The same state when nothing new was sent, so that its time goes on. */
function withSent(state: Progress, upload: number): Progress {
  return state.phase === "uploading" && upload !== state.upload ? { ...state, upload } : state;
}

function afterWait(state: Progress): Progress {
  if (state.full) return idleProgress;
  if (state.phase === "uploading") return { ...state, phase: "processing" };
  return state.creep < CREEP_LIMIT ? { ...state, creep: state.creep + 1 } : state;
}

/** Milliseconds until a state is over by itself, as the specification gives them; null when it is not. */
function waitOf({ phase, upload, full }: Progress): number | null {
  if (full) return 500;
  if (phase === "processing") return 1000;
  return phase === "uploading" && upload >= 100 ? 250 : null;
}

/** Shown value, 0 to 100: the average of upload and creep, or full. */
export function shownProgress({ upload, creep, full }: Progress): number {
  return full ? 100 : (upload + creep) / 2;
}

/** Runs the progress bar's states over time; leaving the page stops them. */
export function useProgress() {
  const [state, move] = useReducer(nextProgress, idleProgress);
  useEffect(() => {
    const wait = waitOf(state);
    if (wait === null) return undefined;
    const timer = setTimeout(() => move({ kind: "waited", of: state }), wait);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, move] as const;
}
