import { FINISH_CHANGES_MS } from "#platform/http/limits.ts";
import type { Stops } from "./run-roles.ts";

const STOP_WITHIN_MS = 4_500;
/** One step that hangs must leave time for those after it: the database and the simulators end in good order. */
const STEP_WITHIN_MS = 1_200;

/** Steps of a process that is asked to end. */
export type OwnProcess = {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): void;
  after(ms: number, work: () => void): void;
};

export const ownProcess: OwnProcess = {
  on: (signal, listener) => process.on(signal, listener),
  exit: (code) => process.exit(code),
  after: (ms, work) => void setTimeout(work, ms),
};

type Started = { running: Promise<void>; ending: AbortController };

/** Ctrl-C ends at once; SIGTERM, as service managers send it, lets uploads finish first, until Ctrl-C or its time. */
export function stopOnSignals(
  stops: Stops,
  { running, ending }: Started,
  { on, exit, after }: OwnProcess = ownProcess,
): void {
  const hurry = new AbortController();
  // A vendor that hangs must not keep people waiting; what it was doing is in the ledger and is resumed.
  hurry.signal.addEventListener("abort", () => after(STOP_WITHIN_MS, () => exit(0)));
  const onSignal = async () => {
    if (ending.signal.aborted) return;
    ending.abort();
    await Promise.all(stops.flatMap(({ finish }) => finish?.(hurry.signal) ?? []));
    hurry.abort();
    // A start breaks off between its steps: a database that is just being made would be left half made.
    await running.catch(() => undefined);
    await stopAll(stops, after);
    exit(0);
  };
  on("SIGINT", () => {
    hurry.abort();
    void onSignal();
  });
  on("SIGTERM", () => {
    after(FINISH_CHANGES_MS, () => hurry.abort());
    void onSignal();
  });
}

/** Ends what was started, last started first. */
export async function stopAll(stops: Stops, after = ownProcess.after): Promise<void> {
  for (const step of stops.reverse()) {
    try {
      await Promise.race([step.stop(), new Promise<void>((resolve) => after(STEP_WITHIN_MS, resolve))]);
    } catch (error) {
      process.stderr.write(`Stopping ${step.name}: ${String(error)}\n`);
    }
  }
}
