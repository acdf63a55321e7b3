import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileLines, createJournal, type Fold, type Lines } from "#integrations/objects/journal.ts";
import { createS3Lines } from "#integrations/objects/s3-lines.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { startS3 } from "../../../simulators/s3/start.ts";

/** Opens the lines of one journal once more, as another process does, and counts the calls to where they are. */
type Place = { open(): Lines; s3: Awaited<ReturnType<typeof startS3>> | null };

async function placeInFile(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { open: () => createFileLines(join(folder, "promises.jsonl")), s3: null };
}

async function placeInBucket(): Promise<Place> {
  const key = { id: "key-of-tests", secret: "secret/of+tests" };
  const s3 = await startS3({ port: 0, bucket: "documents", key });
  onTestFinished(() => s3.close());
  const clock = { ...systemClock, sleep: () => Promise.resolve() };
  const fetch = createOutboundFetch({ allowedOrigins: [s3.url], log: createLog("silent"), clock });
  const config = { endpoint: s3.url, bucket: "documents", region: "us-east-1", timeoutMs: 500 };
  const open = () => createS3Lines({ ...config, keyId: key.id, secret: key.secret, fetch, clock });
  return { open, s3 };
}

type Line = { by: string; at: number };
const ALL: Fold<Line[]> = { begin: () => [], note: (lines, line) => void lines.push(line as Line) };

test.each([
  ["a file", placeInFile],
  ["a bucket", placeInBucket],
])("HA-01 processes that add promises to %s at once all read each of them once", async (_, place) => {
  const { open } = await place();
  const names = ["a", "b", "c"];
  const journals = names.map(() => createJournal(open()));
  await Promise.all(
    journals.map(async (journal, of) => {
      for (let at = 0; at < 20; at += 1) {
        await journal.append({ by: names[of], at });
        if (at % 5 === 0) await journal.read(ALL);
      }
    }),
  );
  for (const journal of [...journals, createJournal(open())]) {
    const lines = await journal.read(ALL);
    for (const name of names)
      expect(lines.filter(({ by }) => by === name).map(({ at }) => at)).toEqual([...Array(20).keys()]);
  }
  const [first] = journals;
  await first?.clear();
  expect(await first?.read(ALL)).toEqual([]);
});

test("HA-01 a journal in a bucket is read by another machine in blocks, and a lost answer loses no promise", async () => {
  const { open, s3 } = await placeInBucket();
  const journal = createJournal(open());
  for (let at = 0; at < 510; at += 1) {
    if (at === 250) s3?.fail("cut_after", { method: "PUT" });
    await journal.append({ by: "a", at });
  }
  const before = s3?.calls.length ?? 0;
  const lines = await createJournal(open()).read(ALL);
  expect([...new Set(lines.map(({ at }) => at))]).toEqual([...Array(510).keys()]);
  expect((s3?.calls.length ?? 0) - before).toBeLessThan(20);
  const text = await journal.readText();
  await journal.addMissing(`${text}{"by":"b","at":0}\n`);
  expect((await journal.read(ALL)).filter(({ by }) => by === "b")).toEqual([{ by: "b", at: 0 }]);
});
