import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  createLabels,
  exportSsccs,
  listLabelUploads,
  readLabelUpload,
  type LabelUploads,
} from "#features/labels/contract.ts";
import { REQUEST_LIMITS } from "#platform/db/connect.ts";
import { LABEL_SIZE, RESOLUTIONS } from "#formats/label/drawing.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { driveIntuit } from "../support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../support/labels.ts";
import { readPages } from "../support/read-pages.ts";
import { createInstance, removeInstance, runProduct, type ProductInstance } from "../support/run-product.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { untilGone } from "./support/embedded-database.ts";
import { holdLabels, STAGES, type Stage } from "./support/held-labels.ts";
import { askDatabase } from "./support/kills.ts";

const run = battery({ short: 3, long: 200 });
const LABELS = 60;
/** Products that are killed in parallel, and kills of each. */
const AT_ONCE = run.isLong ? 3 : 1;
const KILLS_EACH = 18;
/** A run is taken up soon after its process died. */
const ENV = { RUN_LEASE_MS: "2000" };

/** Kills by stage, and their results. */
type Struck = {
  stages: Record<Stage, number>;
  received: number;
  stored: number;
  answered: number;
  labels: number;
};

test(
  `killed ${run.times} times at random moments of an upload and before its sheet, its numbers, its labels, the end of its transaction and its download: every sheet received becomes labels by itself, and again it has every label once, under the numbers that were printed`,
  { timeout: run.timeout },
  async () => {
    const places = Array.from({ length: Math.ceil(run.times / KILLS_EACH) }, (_, place) => place);
    const struck: Struck[] = [];
    const work = async () => {
      for (let place = places.shift(); place !== undefined; place = places.shift()) {
        const kills = Math.min(KILLS_EACH, run.times - place * KILLS_EACH);
        struck.push(await killUploads(kills, run.seed + place * 1_000));
        printCounts(run, "labels-http", countKills(struck));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
);

/** Sums of the kills so far. */
function countKills(struck: readonly Struck[]): Record<string, number> {
  const sum = (of: (each: Struck) => number) => struck.reduce((total, each) => total + of(each), 0);
  const kills = (stage: Stage) => sum(({ stages }) => stages[stage]);
  return {
    kills: STAGES.reduce((total, stage) => total + kills(stage), 0),
    "at random moments": kills("anywhere"),
    "before the sheet was read": kills("sheet"),
    "before numbers were taken": kills("numbers"),
    "before labels were stored": kills("labels"),
    "before the commit": kills("commit"),
    "during the download": kills("download"),
    "the sheet was received": sum(({ received }) => received),
    "labels were stored": sum(({ stored }) => stored),
    "labels were downloaded": sum(({ answered }) => answered),
    labels: sum(({ labels }) => labels),
  };
}

/** Uploads one sheet after the other to a product that is killed during each. */
async function killUploads(kills: number, seed: number): Promise<Struck> {
  const place = await createInstance();
  let product = await runProduct(place, ENV);
  try {
    const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await browser.signIn("owner@acme.example");
    expect((await setUpLabels(browser)).status).toBe(200);
    const random = seededRandom(seed);
    const known = new Set(await upload(browser, "warm"));
    const startedAt = performance.now();
    for (const sscc of await upload(browser, "timed")) known.add(sscc);
    const longestMs = performance.now() - startedAt;
    if (seed === run.seed) for (const sscc of await outlast(place, browser)) known.add(sscc);
    const stages = { anywhere: 0, sheet: 0, numbers: 0, labels: 0, commit: 0, download: 0 };
    const struck: Struck = { stages, received: 0, stored: 0, answered: 0, labels: 0 };
    for (let kill = 0; kill < kills; kill += 1) {
      const stage = STAGES[kill % STAGES.length] ?? "anywhere";
      stages[stage] += 1;
      const sheet = `sheet-${kill}`;
      const printId = randomUUID();
      const held = stage === "anywhere" ? null : await holdLabels(place, stage);
      const first = upload(browser, sheet, printId).catch(() => null);
      // A product that has just been started takes longer than the one that was timed.
      await (held ? held.untilThere() : wait(random() * 6 * longestMs));
      await product.kill();
      await held?.release();
      // The simulators end a moment after the product, and keep their ports until then.
      await Promise.all([untilGone(product.stripeUrl), untilGone(product.intuitUrl)]);
      const printed = await first;
      const stored = await storedLabels(place, sheet);
      if (stage !== "anywhere")
        expect([stage, stored.length]).toEqual([stage, stage === "download" ? LABELS : 0]);
      if (stored.length > 0) struck.stored += 1;
      product = await runProduct(place, ENV);
      // It is not sent again, and its page is gone.
      const wasReceived = await untilMade(browser, printId);
      const made = await storedLabels(place, sheet);
      expect([stage, made.length]).toEqual([stage, wasReceived ? LABELS : 0]);
      if (stage !== "anywhere") expect([stage, wasReceived]).toEqual([stage, true]);
      if (wasReceived) struck.received += 1;
      expect(await countListed(browser, sheet)).toBe(wasReceived ? 1 : 0);
      const again = await upload(browser, sheet);
      expect(again).toHaveLength(LABELS);
      if (wasReceived) expect(again).toEqual(made);
      if (printed) {
        struck.answered += 1;
        expect(again).toEqual(printed);
      }
      expect(again.filter((sscc) => known.has(sscc))).toEqual([]);
      for (const sscc of again) known.add(sscc);
    }
    const list = (await browser.call(exportSsccs)).text.trim().split("\r\n").slice(1);
    const listed = list.map((line) => `00${line.split(",")[0]}`);
    expect(listed).toHaveLength(known.size);
    expect(new Set(listed)).toEqual(known);
    await expect.poll(() => filesOfReceived(place)).toEqual([]);
    return { ...struck, labels: listed.length };
  } finally {
    await product.stop();
    await removeInstance(place);
  }
}

/** Files of a process that died before it queued its sheet are left to the daily sweep. */
async function filesOfReceived(place: ProductInstance): Promise<string[]> {
  const received = await askDatabase<{ file: string }>(
    place,
    "select realm_id || '-' || id as file from label_upload",
  );
  const stored = await readdir(join(place.folder, "objects", "labels"));
  return stored.filter((name) => received.some(({ file }) => file === name));
}

/** SSCCs of a sheet's labels, in its order, as decoded from their bars. */
async function storedLabels(place: ProductInstance, sheet: string): Promise<string[]> {
  const found = await askDatabase<{ sscc: string }>(
    place,
    `select sscc from label where po_number = '${sheet}' order by upload_id, seq`,
  );
  return found.map(({ sscc }) => `00${sscc}`);
}

/** Waits for the labels of an upload. @returns false when it was not received */
async function untilMade(browser: Browser, uploadId: string): Promise<boolean> {
  for (;;) {
    const reply = await browser.call(readLabelUpload, { params: { upload_id: uploadId } });
    if (reply.status === 404) return false;
    const { state } = reply.json() as { state?: string };
    if (state === "made") return true;
    expect(state).toBe("queued");
    await wait(200);
  }
}

/** Counts a sheet among the earlier uploads. */
async function countListed(browser: Browser, sheet: string): Promise<number> {
  const { uploads } = (await browser.call(listLabelUploads)).json() as LabelUploads;
  expect(uploads.filter(({ state }) => state !== "made")).toEqual([]);
  return uploads.filter(({ filename }) => filename === `${sheet}.xlsx`).length;
}

/** Makes labels while another process holds their numbers for longer than a page waits for the database. */
async function outlast(place: ProductInstance, browser: Browser): Promise<string[]> {
  const held = await holdLabels(place, "numbers");
  const made = upload(browser, "patient");
  const isOver = async () => {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and clock_timestamp() - query_start > interval '${REQUEST_LIMITS.statementMs + 1_000} ms'`;
    await held.untilThere();
    while ((await askDatabase(place, waiting)).length === 0) await wait(200);
  };
  // A wait that ends too early would never be seen.
  await Promise.race([isOver(), made]);
  await held.release();
  return made;
}

/** @returns the SSCCs of the bars of the document, in its order. @throws when the document did not come, or not all of it */
async function upload(browser: Browser, sheet: string, printId: string = randomUUID()): Promise<string[]> {
  const rows = Array.from({ length: LABELS }, () => ({ "PO Number": sheet }));
  const file = { name: `${sheet}.xlsx`, bytes: await labelWorkbook(rows) };
  const bytes = Buffer.from(await browser.download(createLabels, { json: { print_id: printId }, file }));
  const [begin, end] = [bytes.toString("latin1", 0, 300), bytes.toString("latin1", bytes.length - 6)];
  if (!begin.startsWith("%PDF") || end !== "%%EOF\n") throw new Error(`No labels: ${begin}`);
  return readPages(bytes, LABEL_SIZE, RESOLUTIONS["203"]).flatMap(({ found }) =>
    found.filter((data) => data.startsWith("00")),
  );
}
