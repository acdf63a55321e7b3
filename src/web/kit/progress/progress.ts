/** Milliseconds of the progress bar, as the specification gives them. */
export const PROGRESS_MS = { processingDelay: 250, creep: 1000, reset: 500 } as const;

/** The creep stops short of the end: full means done. */
const CREEP_LIMIT = 99;

/** `upload` and `creep` are points from 0 to 100; `full` is set when the work has ended well. */
export type Progress = {
  phase: "idle" | "uploading" | "processing";
  upload: number;
  creep: number;
  full: boolean;
};

export type ProgressEvent =
  | { kind: "started" }
  | { kind: "sent"; percent: number }
  | { kind: "processing-delay-over" }
  | { kind: "second-passed" }
  | { kind: "finished" }
  | { kind: "failed" }
  | { kind: "reset-delay-over" };

export const idleProgress: Progress = { phase: "idle", upload: 0, creep: 0, full: false };

/** The bar's states: idle, uploading, processing, back to idle. */
export function nextProgress(state: Progress, event: ProgressEvent): Progress {
  switch (event.kind) {
    case "started":
      return { ...idleProgress, phase: "uploading" };
    case "sent":
      return state.phase === "uploading" ? { ...state, upload: event.percent } : state;
    case "processing-delay-over":
      return state.phase === "uploading" && !state.full ? { ...state, phase: "processing" } : state;
    case "second-passed":
      return state.phase === "processing" && !state.full
        ? { ...state, creep: Math.min(CREEP_LIMIT, state.creep + 1) }
        : state;
    case "finished":
      return state.phase === "idle" ? state : { ...state, phase: "processing", full: true };
    case "failed":
      return idleProgress;
    case "reset-delay-over":
      return state.full ? idleProgress : state;
  }
}

/** Shown value, 0 to 100: the average of upload and creep, or full. */
export function shownProgress({ upload, creep, full }: Progress): number {
  return full ? 100 : (upload + creep) / 2;
}
