import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { tarEnd, writeTarFile } from "#formats/tar/write-tar.ts";

const FILES: readonly (readonly [string, Buffer])[] = [
  ["README.txt", Buffer.from("Read me\n")],
  ["files/workbooks/empty.csv", Buffer.alloc(0)],
  [`files/workbooks/${"n".repeat(100)}`, Buffer.alloc(512, 7)],
  ["tables/upload.csv", Buffer.alloc(100_001, 65)],
];
const modifiedAt = new Date("2026-11-26T16:00:00Z");

async function* once(content: Buffer) {
  yield content;
}

async function pack(files = FILES): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const [path, content] of files)
    for await (const part of writeTarFile({
      path,
      bytes: content.length,
      modifiedAt,
      content: once(content),
    }))
      parts.push(part);
  return Buffer.concat([...parts, tarEnd()]);
}

test("the machine's own tar unpacks an archive", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dockside-tar-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "a.tar"), await pack());
  await promisify(execFile)("tar", ["-xf", "a.tar"], { cwd: folder });
  for (const [path, content] of FILES) expect(await readFile(join(folder, path))).toEqual(content);
});

test("a path or size that doesn't fit is refused", async () => {
  await expect(pack([["n".repeat(101), Buffer.alloc(0)]])).rejects.toThrow("doesn't fit");
  await expect(pack([["ä", Buffer.alloc(0)]])).rejects.toThrow("doesn't fit");
  const wrong = writeTarFile({ path: "a", bytes: 2, modifiedAt, content: once(Buffer.alloc(1)) });
  await expect(buffer(wrong)).rejects.toThrow("a has 1 bytes, and not 2");
});
