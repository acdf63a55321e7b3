import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFailure } from "#platform/db/embedded/failure.ts";
import type { Place } from "#platform/db/embedded/place.ts";
import { isOurs } from "#platform/db/embedded/postmaster.ts";
import { sendSignal } from "#platform/db/embedded/processes.ts";
import { runProgram } from "#platform/db/embedded/run-program.ts";

export const DATABASE_USER = "dockside";

/**
 * Creates the database folder. It is built under another name and renamed when complete, so that a killed
 * start leaves no partial database. The programs that build it end with this process; only SIGKILL leaves
 * them running, and then the next start ends them.
 * @throws EmbeddedPostgresFailure with the reason in one sentence
 */
export async function initialize(place: Place): Promise<void> {
  const { home, dataFolder } = place;
  if (existsSync(join(dataFolder, "PG_VERSION"))) return;
  const fresh = `${dataFolder}.new`;
  killLeftoverInitdb(home, fresh);
  // Its writers may need a moment to exit.
  rmSync(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  try {
    await runInitdb(place, fresh);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  renameSync(fresh, dataFolder);
}

const initdbPidFile = (home: string) => join(home, "making.pid");

function killLeftoverInitdb(home: string, fresh: string): void {
  if (!existsSync(initdbPidFile(home))) return;
  const pid = Number(readFileSync(initdbPidFile(home), "utf8"));
  // The program starts others in its process group: a signal to it alone would leave them writing.
  if (pid > 0 && isOurs(pid, fresh)) sendSignal(-pid, "SIGKILL");
  rmSync(initdbPidFile(home), { force: true });
}

/** Creates a database folder. */
async function runInitdb(place: Place, folder: string): Promise<void> {
  const { home, binaries } = place;
  const args = [
    "--pgdata",
    folder,
    "--username",
    DATABASE_USER,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
  ];
  const initdb = runProgram(place, { file: binaries.initdb, args, exitSignal: "SIGKILL" });
  writeFileSync(initdbPidFile(home), String(initdb.child.pid));
  const outcome = await initdb.ended;
  initdb.release();
  rmSync(initdbPidFile(home), { force: true });
  if ("error" in outcome) throw folderFailure(home, outcome.error);
  if (outcome.code !== 0) throw folderFailure(home, initdb.output());
}
