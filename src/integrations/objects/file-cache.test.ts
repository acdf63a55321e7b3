import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileCache } from "#integrations/objects/file-cache.ts";
import { systemClock } from "#platform/clock.ts";

const HOUR_MS = 3_600_000;

async function openCache(maxBytes = 100) {
  const folder = await mkdtemp(join(tmpdir(), "dockside-cache-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = () => createFileCache(folder, { maxBytes, maxAgeMs: 24 * HOUR_MS, clock: systemClock });
  const cache = await open();
  const add = async (name: string, size: number) => {
    const file = await cache.add(name, (path) => writeFile(path, "x".repeat(size)));
    await file.close();
  };
  const age = (name: string, hours: number) => {
    const time = new Date(Date.now() - hours * HOUR_MS);
    return utimes(join(folder, name), time, time);
  };
  return { folder, open, cache, add, age, names: async () => (await readdir(folder)).toSorted() };
}

test("a stored file is found, and the oldest ones make room for a new one, even while they are read", async () => {
  const { cache, add, age, names } = await openCache();
  await add("a", 60);
  await age("a", 2);
  const reading = await cache.find("a");
  await add("b", 30);
  expect(await names()).toEqual(["a", "b"]);
  await add("c", 40);
  expect(await names()).toEqual(["b", "c"]);
  expect((await reading?.readFile("utf8"))?.length).toBe(60);
  await reading?.close();
  expect(await cache.find("a")).toBeNull();
});

test("files are removed after a day, and leftovers of a killed process after an hour", async () => {
  const { folder, cache, add, age, names } = await openCache();
  await add("a", 1);
  await age("a", 25);
  await writeFile(join(folder, "b.1.part"), "x");
  await age("b.1.part", 2);
  await writeFile(join(folder, "c.2.part"), "x");
  await cache.removeOld();
  expect(await names()).toEqual(["c.2.part"]);
});

test("a file that can't be written leaves nothing", async () => {
  const { cache, names } = await openCache();
  const failing = cache.add("a", async (path) => {
    await writeFile(path, "half");
    throw new Error("no space");
  });
  await expect(failing).rejects.toThrow("no space");
  expect(await names()).toEqual([]);
});

test("a new start keeps no file of earlier ones, and leaves those that another process is writing", async () => {
  const { folder, open, add, names } = await openCache();
  await add("a", 1);
  await writeFile(join(folder, "b.1.part"), "x");
  await open();
  expect(await names()).toEqual(["b.1.part"]);
  expect(await readFile(join(folder, "b.1.part"), "utf8")).toBe("x");
});
