import { useEffect, useReducer, useRef } from "react";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { progressWords } from "#web/kit/progress/words.ts";

/** The creep stops below 100, which means done. */
const CREEP_LIMIT = 99;

/** `upload` and `creep` are percentages from 0 to 100; `full` is set after success. */
export type Progress = {
  phase: "idle" | "uploading" | "processing";
  upload: number;
  creep: number;
  full: boolean;
};

/** `waited`: the time of the state `of` has passed. */
export type ProgressEvent =
  | { kind: "started" | "finished" | "failed" }
  | { kind: "waited"; of: Progress }
  | { kind: "sent"; percent: number };

export const idleProgress: Progress = { phase: "idle", upload: 0, creep: 0, full: false };

/** Advances the bar's state: idle, uploading, processing, back to idle. Late events change nothing. */
export function nextProgress(state: Progress, event: ProgressEvent): Progress {
  if (event.kind === "started") return { ...idleProgress, phase: "uploading" };
  if (event.kind === "failed" || state.phase === "idle") return idleProgress;
  if (event.kind === "sent") return withSent(state, event.percent);
  // A timer may fire before the page has rendered a newer state, which keeps its own time.
  if (event.kind === "waited") return event.of === state ? afterWait(state) : state;
  return { ...state, phase: "processing", full: true };
}

/** Returns the same state if nothing new was sent, so that its timer continues. */
function withSent(state: Progress, upload: number): Progress {
  return state.phase === "uploading" && upload !== state.upload ? { ...state, upload } : state;
}

function afterWait(state: Progress): Progress {
  if (state.full) return idleProgress;
  if (state.phase === "uploading") return { ...state, phase: "processing" };
  return state.creep < CREEP_LIMIT ? { ...state, creep: state.creep + 1 } : state;
}

/** Milliseconds until a state ends by itself, from the specification; null if it does not. */
function timeout({ phase, upload, full }: Progress): number | null {
  if (full) return 500;
  if (phase === "processing") return 1000;
  return phase === "uploading" && upload >= 100 ? 250 : null;
}

/** Displayed value, 0 to 100: the average of upload and creep, or full. */
export function shownProgress({ upload, creep, full }: Progress): number {
  return full ? 100 : (upload + creep) / 2;
}

/** Runs the progress bar's states over time; unmounting stops them. */
export function useProgress() {
  const [state, move] = useReducer(nextProgress, idleProgress);
  useEffect(() => {
    const wait = timeout(state);
    if (wait === null) return undefined;
    const timer = setTimeout(() => move({ kind: "waited", of: state }), wait);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, move] as const;
}

/**
 * Announces the progress of an upload to assistive technology, which does not read progress bar changes by
 * itself.
 */
export function useProgressAnnouncements(progress: Progress, filename: string) {
  const announce = useAnnounce();
  const announced = useRef<string | null>(null);
  const text = announcementFor(progress, filename);
  useEffect(() => {
    if (text !== null && text !== announced.current) announce(text, "passing");
    announced.current = text;
  }, [text, announce]);
}

/** Text announced for a state; null while idle. */
export function announcementFor({ phase, upload, full }: Progress, filename: string): string | null {
  if (phase === "idle") return null;
  if (full) return progressWords.complete;
  if (phase === "processing") return progressWords.processing;
  const quarter = Math.min(75, Math.floor(upload / 25) * 25);
  return quarter === 0 ? progressWords.uploading(filename) : progressWords.percent(quarter);
}
