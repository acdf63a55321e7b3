import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileStore } from "#integrations/objects/file-store.ts";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import { createS3Store } from "#integrations/objects/s3-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { startS3, type S3Fault } from "../../../simulators/s3/start.ts";

const KEY = { id: "key-of-tests", secret: "secret/of+tests" };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-objects-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A bucket of a test's own, with pages of three keys, and a store that waits for nothing but answers. */
async function openBucket(
  changes: { keyId?: string; secret?: string; region?: string; bucket?: string } = {},
) {
  const s3 = await startS3({ port: 0, bucket: "documents", key: KEY, pageSize: 3 });
  onTestFinished(() => s3.close());
  const folder = await makeFolder();
  const clock = { ...systemClock, sleep: () => Promise.resolve() };
  const config = {
    endpoint: s3.url,
    bucket: "documents",
    region: "us-east-1",
    keyId: KEY.id,
    secret: KEY.secret,
    timeoutMs: 500,
    ...changes,
  };
  const fetch = createOutboundFetch({ allowedOrigins: [s3.url], log: createLog("silent"), clock });
  return { s3, folder, store: await createS3Store({ ...config, fetch, clock }, folder) };
}

type Opened = { store: ObjectStore; folder: string };

/** Both stores: the same tests hold for them. */
const STORES: [string, () => Promise<Opened>][] = [
  [
    "folder",
    async () => {
      const folder = await makeFolder();
      return { store: await createFileStore(folder), folder: join(folder, "incoming") };
    },
  ],
  ["S3", openBucket],
];

const inChunks = async function* (bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 40_000)
    yield await Promise.resolve(bytes.subarray(at, at + 40_000));
};

async function store(to: ObjectStore, key: string, text: string | Buffer): Promise<void> {
  const received = await to.receive(inChunks(Buffer.from(text)));
  await received.keep(key);
  await received.drop();
}

async function collect(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found.toSorted();
}

/** Every byte, and more than one chunk. */
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));

test.each(STORES)(
  "OP-20 %s: a document is received with its size and hash, is not stored before it is kept, and reads the same",
  async (_name, open) => {
    const { store: to, folder } = await open();
    const received = await to.receive(inChunks(BYTES));
    expect([received.sizeBytes, received.sha256]).toEqual([
      BYTES.length,
      createHash("sha256").update(BYTES).digest("hex"),
    ]);
    expect(BYTES.equals(await received.read())).toBe(true);
    expect(await collect(to.list())).toEqual([]);
    await received.keep("uploads/one.xlsx");
    expect(await readdir(folder)).toEqual([]);
    expect(BYTES.equals(await to.read("uploads/one.xlsx"))).toBe(true);
    await received.drop();
    await (await to.receive(inChunks(BYTES))).drop();
    expect([await collect(to.list()), await readdir(folder)]).toEqual([["uploads/one.xlsx"], []]);
  },
);

test.each(STORES)(
  "OP-20 %s: an empty document is one too, and storing one twice is harmless",
  async (_name, open) => {
    const { store: to } = await open();
    await store(to, "labels/1-a", "");
    await store(to, "labels/1-a", "");
    expect([await to.read("labels/1-a"), await collect(to.list())]).toEqual([
      Buffer.alloc(0),
      ["labels/1-a"],
    ]);
  },
);

test.each(STORES)(
  "OP-20 %s: a missing document is reported missing, and removing it again is harmless",
  async (_name, open) => {
    const { store: to } = await open();
    await store(to, "uploads/one.xlsx", "one");
    await to.remove("uploads/one.xlsx");
    await to.remove("uploads/one.xlsx");
    await expect(to.read("uploads/one.xlsx")).rejects.toBeInstanceOf(ObjectMissing);
    await expect(to.read("../secret")).rejects.toThrow("Not an object key");
    expect(await collect(to.listOlder("uploads", new Date()))).toEqual([]);
  },
);

test.each(STORES)(
  "OP-20 %s: all documents are listed, those of one folder by their age, and some may be removed meanwhile",
  async (_name, open) => {
    const { store: to } = await open();
    const keys = Array.from({ length: 8 }, (_, at) => `uploads/${at}.xlsx`);
    for (const key of [...keys, "labels/1-a"]) await store(to, key, key);
    expect(await to.belongsTo("one")).toBe(true);
    expect(await collect(to.list())).toEqual(["labels/1-a", ...keys]);
    const later = new Date(Date.now() + 60_000);
    expect(await collect(to.listOlder("uploads", later))).toEqual(keys);
    expect(await collect(to.listOlder("uploads", new Date(Date.now() - 60_000)))).toEqual([]);
    const seen: string[] = [];
    for await (const key of to.listOlder("uploads", later)) {
      seen.push(key);
      await to.remove(key);
    }
    expect([seen.toSorted(), await collect(to.list())]).toEqual([keys, ["labels/1-a"]]);
  },
);

test.each(STORES)(
  "OP-20 %s: documents belong to the database that claims them first",
  async (_name, open) => {
    const { store: to } = await open();
    const claims = await Promise.all(["one", "two", "three"].map((id) => to.belongsTo(id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const owner = ["one", "two", "three"][claims.indexOf(true)] ?? "";
    expect([await to.belongsTo(owner), await to.belongsTo("another")]).toEqual([true, false]);
    expect(await to.findFault(1_000)).toBeNull();
  },
);

test("OP-20 of two databases that claim a bucket at once one is refused, also if its claim arrives late", async () => {
  const { s3, store: to } = await openBucket();
  s3.fail("silent", { method: "PUT", skip: 1 });
  const claims = await Promise.all([to.belongsTo("one"), to.belongsTo("two")]);
  expect(claims.filter(Boolean)).toHaveLength(1);
});

/** Not done, done without an answer, answered by another server, or not answered as it was stored. */
const PASSING: S3Fault[] = [
  "slow_down",
  "internal_error",
  "cut_before",
  "cut_after",
  "page_502",
  "page_404",
  "page_200",
];

test.each([...PASSING, "silent"] as S3Fault[])(
  "OP-20 each call is repeated after %s, and nothing is lost or believed",
  async (fault) => {
    const { s3, store: to } = await openBucket();
    for (const method of ["PUT", "GET", "DELETE"]) s3.fail(fault, { method });
    await store(to, "uploads/one.xlsx", "one");
    expect((await to.read("uploads/one.xlsx")).toString()).toBe("one");
    s3.fail(fault, { method: "GET" });
    expect(await collect(to.list())).toEqual(["uploads/one.xlsx"]);
    await to.remove("uploads/one.xlsx");
    s3.fail(fault, { method: "GET" });
    await expect(to.read("uploads/one.xlsx")).rejects.toBeInstanceOf(ObjectMissing);
    s3.fail(fault, { method: "PUT" });
    expect(await to.belongsTo("one")).toBe(true);
  },
);

test.each(["half", "shortened", "damaged"] as const)(
  "OP-20 a document that arrives %s is noticed and read again, and never given out",
  async (fault) => {
    const { s3, store: to } = await openBucket();
    await store(to, "uploads/one.xlsx", BYTES);
    s3.fail(fault, { method: "GET", times: 2 });
    expect(BYTES.equals(await to.read("uploads/one.xlsx"))).toBe(true);
    s3.fail(fault, { method: "GET", times: 100 });
    await expect(to.read("uploads/one.xlsx")).rejects.toMatchObject({
      status: 503,
      code: "storage_unavailable",
    });
    await expect(collect(to.list())).rejects.toMatchObject({ status: 503 });
    s3.recover();
    expect(await collect(to.list())).toEqual(["uploads/one.xlsx"]);
  },
);

test("OP-20 a file is stored as it was received, or the call fails", async () => {
  const { s3, store: to, folder } = await openBucket();
  const received = await to.receive(inChunks(BYTES));
  s3.fail("slow_down", { times: 100 });
  await expect(received.keep("uploads/one.xlsx")).rejects.toMatchObject({
    status: 503,
    code: "storage_unavailable",
    retryAfterSeconds: 60,
    message: "Files can't be stored or read at the moment. Try again in a minute.",
  });
  s3.recover();
  const [file = ""] = await readdir(folder);
  await writeFile(join(folder, file), (await readFile(join(folder, file))).subarray(1));
  await expect(received.keep("uploads/one.xlsx")).rejects.toThrow("was changed");
  await received.drop();
  expect([s3.objects.size, await readdir(folder)]).toEqual([0, []]);
});

test("OP-20 a refusal is not repeated, and a lost bucket or right is never taken for a missing document", async () => {
  const { s3, store: to } = await openBucket();
  await store(to, "uploads/one.xlsx", "one");
  s3.setBucket(false);
  s3.calls.length = 0;
  await expect(to.read("uploads/one.xlsx")).rejects.toMatchObject({
    status: 503,
    code: "storage_unavailable",
  });
  expect(s3.calls).toEqual(["GET /documents/uploads/one.xlsx"]);
  s3.setBucket(true);
  s3.deny("s3:GetObject");
  await expect(to.read("uploads/one.xlsx")).rejects.toMatchObject({ status: 503 });
  s3.deny("s3:DeleteObject");
  await expect(to.remove("uploads/one.xlsx")).rejects.toMatchObject({ status: 503 });
});

const CANNOT = /^The bucket \w+ at localhost:\d+ cannot be used: (.*)\.$/;

test.each([
  [{ secret: "another" }, "its key is refused; check OBJECTS_S3_KEY_ID and OBJECTS_S3_SECRET"],
  [{ keyId: "another" }, "its key is refused; check OBJECTS_S3_KEY_ID and OBJECTS_S3_SECRET"],
  [{ region: "eu-central-1" }, "it is in another region; set OBJECTS_S3_REGION to that one"],
  [{ bucket: "none" }, "there is no bucket of this name; create it, or set OBJECTS_S3_BUCKET to another one"],
])("OP-20 a wrong setting is named in a sentence, without the secret: %j", async (changes, reason) => {
  const { store: to } = await openBucket(changes);
  const fault = await to.findFault(1_000);
  expect(CANNOT.exec(fault ?? "")?.[1]).toBe(reason);
  expect(fault).not.toContain(KEY.secret);
});

test.each(["s3:ListBucket", "s3:PutObject", "s3:GetObject", "s3:DeleteObject"] as const)(
  "OP-20 a lacking right is named in a sentence: %s",
  async (right) => {
    const { s3, store: to } = await openBucket();
    s3.deny(right);
    const reason = `the key ${KEY.id} lacks the right ${right}; give it to the key`;
    expect(CANNOT.exec((await to.findFault(1_000)) ?? "")?.[1]).toBe(reason);
    s3.allow(right);
    expect(await to.findFault(1_000)).toBeNull();
  },
);

test("OP-20 a store that is gone, silent or another server is named in a sentence", async () => {
  const { s3, store: to } = await openBucket();
  const reason = async () => CANNOT.exec((await to.findFault(300)) ?? "")?.[1];
  s3.fail("silent");
  expect(await reason()).toBe(
    "it does not answer in time; start it, or set OBJECTS_S3_ENDPOINT to another one",
  );
  s3.fail("page_200");
  expect(await reason()).toBe(
    "something else than S3 answers there; set OBJECTS_S3_ENDPOINT to the address of the store",
  );
  await s3.close();
  expect(await reason()).toBe("nothing answers there; start it, or set OBJECTS_S3_ENDPOINT to another one");
});
