import { expect, test } from "vitest";
import { folderFailure } from "#platform/db/embedded/failure.ts";

const FULL = "The disk of the data folder /d is full: free some space and start again.";
const RIGHTS =
  "The data folder /d cannot be written: give this user the rights, or set DATA_DIR to another folder.";

test.each([
  ["ENOSPC: no space left on device, mkdir '/d'", FULL],
  ['FATAL:  could not write to file "base/4/1249": No space left on device', FULL],
  [
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.',
    FULL,
  ],
  ["EACCES: permission denied, mkdir '/d/postgres'", RIGHTS],
  ["initdb: error: could not create directory: Permission denied", RIGHTS],
  [
    "EROFS: read-only file system, mkdir '/d'",
    "The data folder /d is on a read-only file system: set DATA_DIR to a folder that can be written.",
  ],
  [
    "2026-11-21 10:32:53.060 UTC [9451] LOG:  starting\n2026-11-21 10:32:53.060 UTC [9451] FATAL:  something else\n",
    "The embedded PostgreSQL did not start in /d: FATAL:  something else",
  ],
  ["", "The embedded PostgreSQL did not start in /d: it gave no reason."],
])("a failure is reported in one sentence: %j", (text, sentence) => {
  expect(folderFailure("/d", text).message).toBe(sentence);
});
