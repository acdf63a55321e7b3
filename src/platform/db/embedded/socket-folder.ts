import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

/**
 * Maximum path length of a Unix socket in bytes (`sun_path` is 108 on Linux and 104 on macOS, including the
 * terminator).
 */
const MAX_SOCKET_PATH = 103;

/** The port is only part of the socket file's name: the server listens on no network address. */
export const SOCKET_PORT = 5432;

/**
 * Creates the folder of the server's socket, accessible only to its owner, because a user who reaches the
 * socket has full access. Located in the database folder if the path is short enough, else in the temp
 * folder.
 */
export function prepareSocketFolder(home: string): string {
  const near = join(home, "socket");
  const folder = fits(near) ? near : join(tmpdir(), `dockside-${shortName(home)}`);
  if (!fits(folder))
    throw new EmbeddedPostgresFailure(
      `The paths of ${home} and of the temp folder are too long for a socket.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const own = process.getuid?.() ?? found.uid;
  if (!found.isDirectory() || (own !== 0 && found.uid !== own)) {
    throw new EmbeddedPostgresFailure(`${folder} is in the way of the database's socket: remove it.`);
  }
  chmodSync(folder, 0o700);
  return folder;
}

const fits = (folder: string) =>
  Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= MAX_SOCKET_PATH;

/** Unique short name for each path, so that two databases stay apart. */
export const shortName = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 12);
