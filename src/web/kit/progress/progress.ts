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

type Moves = {
  [K in ProgressEvent["kind"]]: (state: Progress, event: Extract<ProgressEvent, { kind: K }>) => Progress;
};

const isProcessing = ({ phase, full }: Progress) => phase === "processing" && !full;

const moves: Moves = {
  started: () => ({ ...idleProgress, phase: "uploading" }),
  sent: (state, { percent }) => (state.phase === "uploading" ? { ...state, upload: percent } : state),
  "processing-delay-over": (state) =>
    state.phase === "uploading" ? { ...state, phase: "processing" } : state,
  "second-passed": (state) =>
    isProcessing(state) ? { ...state, creep: Math.min(CREEP_LIMIT, state.creep + 1) } : state,
  finished: (state) => (state.phase === "idle" ? state : { ...state, phase: "processing", full: true }),
  failed: () => idleProgress,
  "reset-delay-over": () => idleProgress,
};

/** The bar's states: idle, uploading, processing, back to idle. Events that come late change nothing. */
export function nextProgress(state: Progress, event: ProgressEvent): Progress {
  const move = moves[event.kind] as (from: Progress, by: ProgressEvent) => Progress;
  return move(state, event);
}

/** Shown value, 0 to 100: the average of upload and creep, or full. */
export function shownProgress({ upload, creep, full }: Progress): number {
  return full ? 100 : (upload + creep) / 2;
}
