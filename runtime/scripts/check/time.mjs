import { readFileSync } from "node:fs";
import { inRoot } from "../lib/place.mjs";

/** Ways to know or pass time besides the injected clock, which tests step. */
const OTHER_TIME =
  /\b(Date\.now|performance\.now|setTimeout|setInterval|AbortSignal\.timeout)\b|\bnew Date\(\)/;

/** Files that may, with the reason. */
const EXCEPTIONS = {
  "src/platform/clock.ts": "the clock itself",
  "simulators/kit/timer.ts": "the simulators' clock",
  "src/platform/db/connect.ts": "limits of a server that hangs: they measure the machine, not the product",
  "src/platform/db/presence.ts": "measures how long a server is away",
  "src/platform/db/session.ts": "waits for another server, within the limits of connect.ts",
  "src/platform/db/embedded/": "starts and stops another process of this machine",
  "src/platform/threads/run-in-thread.ts": "limits of processor time that a thread takes",
  "src/features/billing/take-turns.ts": "PostgreSQL ends an idle transaction by its own clock",
  "src/integrations/objects/receive-file.ts": "compared with the file system's times",
  "src/main/stop-on-signals.ts": "the end of the process itself",
  "src/main/watchdog": "measures the event loop of this process",
  "src/main/run-simulators.ts": "waits for another process to start",
  "src/main/find-start-faults.ts": "waits for ports before anything is started",
};

/**
 * Refuses other time than the clock's on the server and in the simulators. Pages have the browser's, which tests replace.
 * @param {readonly string[]} files
 * @returns {string[]} findings
 */
export function checkTime(files) {
  const own = files.filter(
    (file) =>
      /^(src|simulators)\/.*\.ts$/.test(file) &&
      !/\.test\.ts$|\/fixtures\/|\/test-kit\.ts$|^src\/web\/|\/web\//.test(file) &&
      !Object.keys(EXCEPTIONS).some((allowed) => file.startsWith(allowed)),
  );
  return own.flatMap((file) =>
    readFileSync(inRoot(file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        OTHER_TIME.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line)
          ? [`${file}:${at + 1}: use the clock, which tests can step: ${line.trim()}`]
          : [],
      ),
  );
}
