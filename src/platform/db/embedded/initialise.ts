import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFailure } from "#platform/db/embedded/failure.ts";
import type { Place } from "#platform/db/embedded/launch.ts";
import { isOurs, sendSignal } from "#platform/db/embedded/postmaster.ts";
import { commandAs } from "#platform/db/embedded/run-as.ts";

export const DATABASE_USER = "dockside";

/**
 * Makes the database folder. It is built aside and renamed when complete, so a start that is killed leaves nothing half
 * made. What makes it ends with this process; only SIGKILL leaves it behind, and then the next start ends it.
 * @throws EmbeddedPostgresFailure with the reason in one sentence
 */
export async function initialise(place: Place): Promise<void> {
  const { home, dataFolder } = place;
  if (existsSync(join(dataFolder, "PG_VERSION"))) return;
  const fresh = `${dataFolder}.new`;
  endMakerLeftBehind(place, fresh);
  // Its writers may need a moment to be gone.
  rmSync(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const { code, output } = await make(place, fresh);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw folderFailure(home, output);
  }
  renameSync(fresh, dataFolder);
}

const makerFile = ({ home }: Place) => join(home, "making.pid");

function endMakerLeftBehind(place: Place, fresh: string): void {
  if (!existsSync(makerFile(place))) return;
  const pid = Number(readFileSync(makerFile(place), "utf8"));
  if (pid > 0 && isOurs(pid, fresh)) endGroup(pid);
  rmSync(makerFile(place), { force: true });
}

/** The program starts others, which are of its group: a signal to it alone would leave them writing. */
const endGroup = (pid: number) => sendSignal(-pid, "SIGKILL");

function make(place: Place, fresh: string): Promise<{ code: number | null; output: string }> {
  const command = commandAs(place.runAs, place.binaries.initdb, [
    "--pgdata",
    fresh,
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
  ]);
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command.file, command.args, {
      ...command.ids,
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { pid } = child;
    const abandon = () => {
      if (pid !== undefined) endGroup(pid);
    };
    process.once("exit", abandon);
    if (pid !== undefined) writeFileSync(makerFile(place), String(pid));
    const end = (code: number | null) => {
      process.removeListener("exit", abandon);
      rmSync(makerFile(place), { force: true });
      resolve({ code, output });
    };
    const take = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", (error) => {
      output = error.message;
      end(null);
    });
    child.once("close", end);
  });
}
