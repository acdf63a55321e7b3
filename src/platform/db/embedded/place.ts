import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "#platform/db/embedded/binaries.ts";
import { chooseRunAs, handOver, reachable, type RunAs } from "#platform/db/embedded/run-as.ts";
import { prepareSocketFolder, shortName } from "#platform/db/embedded/socket-folder.ts";

/**
 * Folder for root if the wanted one is unreachable for a plain user, for instance in a private home folder.
 */
const SHARED_FOLDER = "/var/lib/dockside";

/**
 * Prepares the folders of the embedded database and decides how its programs run.
 * @param wanted existing folder in the product's data folder
 */
export async function preparePlace(wanted: string, given?: RunAs) {
  const shared = sharedHome(wanted);
  // A database once created there stays there, even if this start could reach the wanted folder.
  const first = existsSync(join(shared, "database")) ? shared : wanted;
  const runAs = given ?? chooseRunAs(first);
  accessSync(first, constants.W_OK);
  const home = reachable(runAs, join(first, "database")) ? first : shared;
  mkdirSync(home, { recursive: true, mode: 0o755 });
  handOver(runAs, home);
  const binaries = await findBinaries(join(home, "programs"), (path) => reachable(runAs, path));
  const socketFolder = prepareSocketFolder(home);
  handOver(runAs, socketFolder);
  return { home, dataFolder: join(home, "database"), socketFolder, binaries, runAs };
}

export type Place = Awaited<ReturnType<typeof preparePlace>>;

/** Folder for the same database outside the data folder. */
const sharedHome = (wanted: string) => join(SHARED_FOLDER, shortName(wanted));
