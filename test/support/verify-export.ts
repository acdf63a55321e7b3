import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";

type Manifest = {
  company: { id: string; name: string };
  tables: { name: string; rows: number }[];
  files: { path: string; bytes: number; sha256: string }[];
};

/**
 * Unpacks an export with the machine's own tar, and compares every file with its hash and every table with its count. Shares no
 * code with the product.
 * @returns its manifest, and the folder of its files
 */
export async function verifyExport(file: string): Promise<Manifest & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-export-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)("tar", ["-xf", file, "-C", folder]);
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
  const listed = manifest.files.map(({ path }) => path);
  expect(paths.toSorted()).toEqual([...listed, "manifest.json"].toSorted());
  for (const { path, bytes, sha256 } of manifest.files) {
    const content = await readFile(join(folder, path));
    expect([path, content.length, createHash("sha256").update(content).digest("hex")]).toEqual([
      path,
      bytes,
      sha256,
    ]);
  }
  for (const { name, rows } of manifest.tables)
    expect([name, countRows(await readFile(join(folder, `tables/${name}.csv`), "utf8"))]).toEqual([
      name,
      rows,
    ]);
  return { ...manifest, folder };
}

/** Counts the lines of a CSV file below its headings; a quoted line break ends none. */
const countRows = (text: string): number => text.replaceAll(/"[^"]*"/g, "").split("\n").length - 2;
