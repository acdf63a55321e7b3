import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

/**
 * How to start PostgreSQL, which refuses to run as root. `plain`: as the current user. `namespace`: root in a
 * user namespace where it appears as another user. `owner`: root changes to `uid`.
 */
export type RunAs =
  | { kind: "plain" }
  | { kind: "namespace"; uid: number }
  | { kind: "owner"; uid: number; gid: number };

/** Traditional id of `nobody`, an unprivileged user on every system. */
const NOBODY = 65_534;

/**
 * Decides how to run PostgreSQL for a data folder.
 * @param home existing folder for the database
 * @throws EmbeddedPostgresFailure if the folder belongs to another user
 */
export function chooseRunAs(home: string): RunAs {
  const own = process.getuid?.() ?? NOBODY;
  const owner = statSync(home).uid;
  if (own !== 0) return runAsUser(home, own, owner);
  if (owner !== 0) return { kind: "owner", uid: owner, gid: statSync(home).gid };
  const uid = namedUser();
  if (namespacesAllowed(uid)) return { kind: "namespace", uid };
  return { kind: "owner", uid: NOBODY, gid: NOBODY };
}

/** Builds the program and arguments to run `command` in the chosen way, and the ids for spawn. */
export function commandAs(runAs: RunAs, command: string, args: readonly string[]) {
  if (runAs.kind === "namespace") {
    return { file: "unshare", args: ["--user", `--map-user=${runAs.uid}`, command, ...args], ids: {} };
  }
  const ids = runAs.kind === "owner" ? { uid: runAs.uid, gid: runAs.gid } : {};
  return { file: command, args: [...args], ids };
}

/** Gives a folder and its content to the user PostgreSQL runs as, if it is another user. */
export function handOver(runAs: RunAs, folder: string): void {
  if (runAs.kind !== "owner") return;
  if (lstatSync(folder).uid === runAs.uid) return;
  chownSync(folder, runAs.uid, runAs.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), runAs.uid, runAs.gid);
  }
}

/** Whether the user PostgreSQL runs as can reach a path: every parent folder lets others pass. */
export function reachable(runAs: RunAs, path: string): boolean {
  if (runAs.kind !== "owner") return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    if (!(mode & 0o001) && uid !== runAs.uid) return false;
    if (folder === dirname(folder)) return true;
  }
}

function runAsUser(home: string, own: number, owner: number): RunAs {
  if (own !== owner) {
    throw new EmbeddedPostgresFailure(
      `The database in ${home} belongs to another user (id ${owner}, you are ${own}): start as that user, or set DATA_DIR to another folder.`,
    );
  }
  if (userIds().includes(own)) return { kind: "plain" };
  // initdb refuses a user id without a name, as in containers with a random id.
  const uid = namedUser();
  return namespacesAllowed(uid) ? { kind: "namespace", uid } : { kind: "plain" };
}

function namespacesAllowed(uid: number): boolean {
  return (
    process.platform === "linux" && spawnSync("unshare", ["--user", `--map-user=${uid}`, "true"]).status === 0
  );
}

function namedUser(): number {
  const ids = userIds();
  return ids.includes(NOBODY) ? NOBODY : (ids.find((id) => id > 0) ?? NOBODY);
}

function userIds(): number[] {
  if (process.platform !== "linux") return [process.getuid?.() ?? NOBODY];
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines.map((line) => Number(line.split(":")[2] ?? Number.NaN)).filter(Number.isInteger);
}
