import { expect, test } from "vitest";
import { postInvoices, type UploadList, type UploadSummary } from "#features/invoices/contract.ts";
import type { Browser } from "../support/browser.ts";
import { fastClock } from "../support/fast-clock.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { invoiceWorkbook } from "../support/workbooks.ts";
import { battery, seededRandom, tell } from "./support/battery.ts";
import { compareBooks, invoiceRows, liftLimits } from "./support/invoices.ts";
import { startSecondProcess } from "./support/second-process.ts";

const run = battery({ short: 2, long: 40 });
const INVOICES = 60;
const TABS = 3;

test(
  `one file from ${TABS} tabs of two servers at once, ${run.times} times, and again later under another name: posted once`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ clock: fastClock(60) });
    const second = await startSecondProcess(app);
    await second.work();
    const random = seededRandom(run.seed);
    const counts = { once: 0, missing: 0, doubled: 0, strangers: 0, skipped: 0 };
    for (const [realmId, email] of [
      [ACME, "owner@acme.example"],
      [BAY, "platform@dockside.example"],
    ] as const) {
      const browser = await app.owner(realmId, email);
      const elsewhere = await second.browserLike(browser);
      await liftLimits(app.intuit, realmId);
      const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
      const sent = [];
      for (let time = 0; time < run.times / 2; time += 1) {
        const prefix = realmId === ACME ? `S${time}` : "";
        const rows = invoiceRows(INVOICES, { prefix, firstCents: 1_000 + time * INVOICES });
        const bytes = await invoiceWorkbook(rows);
        sent.push(...rows);
        const upload = (tab: Browser, name: string) =>
          tab.call(postInvoices, { query: { realm_id: realmId }, file: { name, bytes } });
        const tabs = Array.from({ length: TABS }, () => (random() < 0.5 ? browser : elsewhere));
        const replies = await Promise.all(tabs.map((tab, index) => upload(tab, `tab ${index}.xlsx`)));
        expect(replies.map(({ status }) => status)).toEqual(tabs.map(() => 202));
        await settledUploads(browser, realmId);
        await upload(browser, "renamed.xlsx");
        const list = await settledUploads(elsewhere, realmId);
        counts.skipped += judgeList(list, TABS + 1);
      }
      const made = (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
      const books = compareBooks(made, sent);
      for (const key of ["once", "missing", "doubled", "strangers"] as const) counts[key] += books[key];
    }
    tell(run, "same file", { times: run.times, "uploads each": TABS + 1, ...counts });
    const once = Math.ceil(run.times / 2) * 2 * INVOICES;
    expect(counts).toEqual({ once, missing: 0, doubled: 0, strangers: 0, skipped: once * TABS });
  },
);

/** Of the newest uploads one posted its invoices, and each other says of every row what was posted, when, as what. */
function judgeList(list: UploadList, count: number): number {
  const newest = list.uploads.slice(0, count);
  const posted = newest.filter(({ results }) => results.some(({ status }) => status === 0));
  expect(posted).toHaveLength(1);
  const others = newest.filter((upload) => !posted.includes(upload));
  for (const { results } of others) {
    for (const { message } of results)
      expect(message).toMatch(/^Not sent again: the same file was uploaded as "/);
  }
  return others.reduce((sum, upload) => sum + rowsOf(upload), 0);
}

const rowsOf = ({ counts }: UploadSummary) => counts.total;
