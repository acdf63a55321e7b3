import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { isAlive, startedAt } from "#platform/db/embedded/processes.ts";

/** Maximum wait for another start in the same folder. */
const LOCK_WAIT_MS = 60_000;
/** Maximum time that a lock may lack its holder's name. */
const EMPTY_MS = 2_000;

/**
 * Runs `work` while no other process starts a server in the same folder. Takes over the lock of a dead
 * process.
 * @param home folder of the embedded database
 */
export async function withStartLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = join(home, "starting.lock");
  for (const end = Date.now() + LOCK_WAIT_MS; !takeLock(lock); await sleep(50)) {
    if (Date.now() > end)
      throw new EmbeddedPostgresFailure(
        `Another start in ${home} does not end: remove ${lock} if none runs.`,
      );
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether another living process owns the server of the folder and will stop it. */
export function hasOtherOwner(home: string): boolean {
  const owner = readMark(join(home, "owner"));
  return owner !== null && owner.pid !== process.pid && isSameProcess(owner);
}

/** Records that this process owns the server and will stop it. */
export const becomeOwner = (home: string) => writeFileSync(join(home, "owner"), ownMark());

export const endOwnership = (home: string) => rmSync(join(home, "owner"), { force: true });

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, ownMark(), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = readMark(lock);
  if (holder ? !isSameProcess(holder) : isOld(lock)) rmSync(lock, { force: true });
  return false;
}

/**
 * Whether an empty lock is stale. A lock is empty for a moment during creation; one that stays empty was left
 * by a full disk or a power failure.
 */
function isOld(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > EMPTY_MS;
}

type Mark = { pid: number; started: string };

const ownMark = () => `${process.pid} ${startedAt(process.pid)}`;

function readMark(file: string): Mark | null {
  try {
    const [first, started] = readFileSync(file, "utf8").split(" ");
    const pid = Number(first);
    return Number.isInteger(pid) && pid > 0 ? { pid, started: started ?? "" } : null;
  } catch {
    return null;
  }
}

/** Process ids are reused, so the start time must match as well if the system provides it. */
const isSameProcess = ({ pid, started }: Mark) => isAlive(pid) && startedAt(pid) === started;
