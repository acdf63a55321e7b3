import { FINISH_CHANGES_MS } from "#platform/http/limits.ts";
import type { Stops } from "./run-roles.ts";

const STOP_WITHIN_MS = 4_500;
/**
 * A hanging step must leave time for the later ones, so that the database and the simulators shut down
 * cleanly.
 */
const STEP_WITHIN_MS = 1_200;

/** Parts of the process that shutdown uses. */
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

/**
 * Ctrl-C stops at once; SIGTERM, sent by service managers, lets uploads finish first, until Ctrl-C or its
 * time limit.
 */
export function stopOnSignals(
  stops: Stops,
  { running, ending }: Started,
  { on, exit, after }: OwnProcess = ownProcess,
): void {
  const hurry = new AbortController();
  // A vendor that hangs must not keep users waiting; its work is in the ledger and will be resumed.
  hurry.signal.addEventListener("abort", () => after(STOP_WITHIN_MS, () => exit(0)));
  const onSignal = async () => {
    if (ending.signal.aborted) return;
    ending.abort();
    await Promise.all(stops.flatMap(({ finish }) => finish?.(hurry.signal) ?? []));
    hurry.abort();
    // A start stops between its steps: interrupting the creation of a database would leave it incomplete.
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

/** Stops what was started, in reverse order. */
export async function stopAll(stops: Stops, after = ownProcess.after): Promise<void> {
  for (const step of stops.reverse()) {
    try {
      await Promise.race([step.stop(), new Promise<void>((resolve) => after(STEP_WITHIN_MS, resolve))]);
    } catch (error) {
      process.stderr.write(`Stopping ${step.name}: ${String(error)}\n`);
    }
  }
}
