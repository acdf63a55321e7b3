import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";

const run = battery({ short: 12, long: 200 });
const PROCESSES = 8;
const FILES = run.isLong ? 50 : 6;
const LABELS = run.isLong ? 250 : 50;
const REALM = "9130357849016936";
const WORKER = new URL("./fixtures/workers/make-labels.ts", import.meta.url).pathname;
/** Longer than a process needs until its first label. */
const MAX_LIFE_MS = 2_500;

type Printed = { fileName: string; ssccs: string[] };

test(
  `${PROCESSES} processes make ${PROCESSES * FILES * LABELS} labels, with ${run.times} kills in between: no number twice, no label without a row, no row under two numbers`,
  { timeout: run.timeout },
  async () => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), "dockside-labels-"));
    onTestFinished(async () => {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    });
    await sql`insert into company (realm_id, name, created_at) values (${REALM}, 'Acme Tools', now())`.execute(
      database.db,
    );
    const random = seededRandom(run.seed);
    const printed: Printed[] = [];
    let kills = 0;
    const make = (files: readonly string[], killAfterMs: number | null) =>
      work({ url: database.url, folder, files, onPrinted: (line) => printed.push(line), killAfterMs });

    // Each process has its own files, and one that all of them share.
    const shares = Array.from({ length: PROCESSES }, (_, share) => [
      "shared.xlsx",
      ...Array.from({ length: FILES }, (__, file) => `${share}-${file}.xlsx`),
    ]);
    await Promise.all(
      shares.map(async (files) => {
        while (kills < run.times) {
          kills += 1;
          await make(files, 200 + random() * MAX_LIFE_MS);
        }
        expect(await make(files, null)).toBe(0);
      }),
    );

    const { rows } = await sql<{
      sscc: string;
      file: string;
      seq: number;
    }>`select sscc, seq, file_name as file
      from label join label_upload on label_upload.id = upload_id order by file, seq`.execute(database.db);
    const byFile = Map.groupBy(rows, ({ file }) => file);
    const files = new Set(shares.flat());
    expect(new Set(byFile.keys())).toEqual(files);
    expect(rows).toHaveLength(files.size * LABELS);
    expect(new Set(rows.map(({ sscc }) => sscc)).size).toBe(rows.length);
    // Whatever a process would have printed, killed later or not, matches the ledger.
    for (const { fileName, ssccs } of printed)
      expect(ssccs).toEqual(byFile.get(fileName)?.map(({ sscc }) => sscc));
    const journal = (await readFile(join(folder, "promises.jsonl"), "utf8")).trim().split(/\n+/);
    const known = journal.map((line) => (JSON.parse(line) as { next: number }).next);
    const last = rows.map(({ sscc }) => Number(sscc.slice(8, 17))).reduce((a, b) => Math.max(a, b), 0);
    expect(Math.max(...known)).toBeGreaterThan(last);
    printCounts(run, "labels", {
      kills,
      files: files.size,
      labels: rows.length,
      printed: printed.length,
      "numbers lost": last + 1 - rows.length,
    });
  },
);

type Work = {
  url: string;
  folder: string;
  files: readonly string[];
  onPrinted: (printed: Printed) => void;
  killAfterMs: number | null;
};

/** Lets a process work, until its end or until it is killed. @returns its exit code, null for one that was killed */
async function work({ url, folder, files, onPrinted, killAfterMs }: Work): Promise<number | null> {
  const order = JSON.stringify({ realmId: REALM, folder, files, labels: LABELS });
  const child = spawn(process.execPath, [WORKER, order], {
    env: { ...process.env, TEST_DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) onPrinted(JSON.parse(line) as Printed);
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  if (killAfterMs !== null) void wait(killAfterMs).then(() => child.kill("SIGKILL"));
  return ended;
}
