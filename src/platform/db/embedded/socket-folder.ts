import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";

/** Longest path of a Unix socket, in bytes (`sun_path` of Linux is 108, of macOS 104, with an end mark). */
const MAX_SOCKET_PATH = 103;

/** The port only names the socket file: the server listens on no network address. */
export const SOCKET_PORT = 5432;

/**
 * The folder of the server's socket, made when missing, for its owner only: a user who reaches the socket may do anything.
 * Below the database where the path is short enough, else a short folder in the temp folder.
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

/** A name of its own for each path, which keeps two databases apart. */
export const shortName = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 12);
