import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileStore } from "#integrations/objects/file-store.ts";
import { ObjectMissing } from "#integrations/objects/object-store.ts";

async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), "dockside-objects-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, store: await createFileStore(folder) };
}

test.each(["ENOSPC", "EDQUOT"])(
  "a full disk (%s) is reported to the caller, and nothing of the file remains",
  async (code) => {
    const { folder, store } = await openStore();
    const full = Object.assign(new Error(`${code}: no space left on device, write`), { code });
    const stream = async function* () {
      yield await Promise.resolve(Buffer.from("the beginning"));
      throw full;
    };
    await expect(store.receive(stream())).rejects.toMatchObject({
      status: 507,
      code: "storage_full",
      retryAfterSeconds: 300,
      message:
        "The file couldn't be stored: this server has no space left. Tell its operator, and try again later.",
      cause: full,
    });
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  },
);

test("a document that does not exist is reported missing, and its folder lists nothing", async () => {
  const { store } = await openStore();
  await expect(store.read("uploads/none.xlsx")).rejects.toBeInstanceOf(ObjectMissing);
  const keys: string[] = [];
  for await (const key of store.listOlder("uploads", new Date())) keys.push(key);
  expect(keys).toEqual([]);
});
