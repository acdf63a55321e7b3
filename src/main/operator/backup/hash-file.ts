import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** @returns the SHA-256 of a file, in hexadecimal digits */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest("hex");
}

const READ_BYTES = 1024 * 1024;
