import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readTar } from "#formats/tar/read-tar.ts";
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

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(bytes: Buffer, size: number) {
  const found: [string, Buffer][] = [];
  for await (const { path, content } of readTar(inChunks(bytes, size)))
    found.push([path, await buffer(content)]);
  return found;
}

test("files of an archive are read back, however the stream is cut, and unread content is skipped", async () => {
  const bytes = await pack();
  for (const size of [1, 511, 4_096, bytes.length]) expect(await unpack(bytes, size)).toEqual(FILES);
  const paths: string[] = [];
  for await (const { path } of readTar(inChunks(bytes, 1_000))) paths.push(path);
  expect(paths).toEqual(FILES.map(([path]) => path));
});

test("the machine's own tar unpacks an archive", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dockside-tar-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "a.tar"), await pack());
  await promisify(execFile)("tar", ["-xf", "a.tar"], { cwd: folder });
  for (const [path, content] of FILES) expect(await readFile(join(folder, path))).toEqual(content);
});

test("a cut archive, a damaged header, and a path or size that doesn't fit are refused", async () => {
  const bytes = await pack();
  await expect(unpack(bytes.subarray(0, -1_500), 700)).rejects.toThrow("ends too early");
  const damaged = Buffer.from(bytes);
  damaged[3] = 0x41;
  await expect(unpack(damaged, 700)).rejects.toThrow("damaged header");
  await expect(pack([["n".repeat(101), Buffer.alloc(0)]])).rejects.toThrow("doesn't fit");
  await expect(pack([["ä", Buffer.alloc(0)]])).rejects.toThrow("doesn't fit");
  const wrong = writeTarFile({ path: "a", bytes: 2, modifiedAt, content: once(Buffer.alloc(1)) });
  await expect(buffer(wrong)).rejects.toThrow("a has 1 bytes, and not 2");
});
