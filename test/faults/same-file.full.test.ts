import { expect, test } from "vitest";
import { postInvoices, type UploadList, type UploadSummary } from "#features/invoices/contract.ts";
import type { Browser } from "../support/browser.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { ACME, BAY, liftLimits } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { type InvoiceRow, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { startSecondProcess } from "./support/second-process.ts";

const run = battery({ short: 2, long: 40 });
const INVOICES = 60;
const TABS = 3;
const DAY_MS = 24 * 3_600_000;

test(
  `one file from ${TABS} tabs of two servers at once, ${run.times} times, again under another name and a day later: posted once, and again only under new numbers`,
  { timeout: run.timeout },
  async () => {
    const clock = steppedClock();
    const app = await startApp({ clock });
    const second = await startSecondProcess(app);
    await second.work();
    const random = seededRandom(run.seed);
    const counts = { once: 0, missing: 0, doubled: 0, strangers: 0, skipped: 0, skippedADayLater: 0 };
    const renumbered = { once: 0, doubled: 0 };
    for (const [realmId, email] of [
      [ACME, "owner@acme.example"],
      [BAY, "platform@dockside.example"],
    ] as const) {
      const browser = await app.owner(realmId, email);
      const elsewhere = await second.browserLike(browser);
      await liftLimits(app.intuit, realmId);
      const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
      const sent: InvoiceRow[] = [];
      const files: { bytes: Uint8Array; day: string }[] = [];
      for (let time = 0; time < run.times / 2; time += 1) {
        const prefix = realmId === ACME ? `S${time}` : "";
        const rows = invoiceRows(INVOICES, { prefix, firstCents: 1_000 + time * INVOICES });
        const bytes = await invoiceWorkbook(rows);
        sent.push(...rows);
        const upload = (tab: Browser, name: string) => postFile(tab, realmId, { name, bytes });
        const tabs = Array.from({ length: TABS }, () => (random() < 0.5 ? browser : elsewhere));
        await Promise.all(tabs.map((tab, index) => upload(tab, `tab ${index}.xlsx`)));
        await settledUploads(browser, realmId);
        await upload(browser, "renamed.xlsx");
        const list = await settledUploads(elsewhere, realmId);
        const { skipped, day } = checkSkipped(list, TABS + 1);
        counts.skipped += skipped;
        files.push({ bytes, day });
      }
      const made = (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
      const books = compareBooks(made, sent);
      for (const key of ["once", "missing", "doubled", "strangers"] as const) counts[key] += books[key];
      clock.advance(DAY_MS);
      // A day without a request ends every session.
      await browser.signIn(email);
      for (const { bytes, day } of files) {
        await postFile(browser, realmId, { name: "a day later.xlsx", bytes });
        const [upload] = (await settledUploads(browser, realmId)).uploads;
        counts.skippedADayLater += countSkipped(upload, day);
      }
      const renumberedRows = sent
        .slice(0, INVOICES)
        .map((row, index) => ({ ...row, "Invoice No": `NEW-${index}` }));
      await postFile(browser, realmId, {
        name: "new numbers.xlsx",
        bytes: await invoiceWorkbook(renumberedRows),
      });
      await settledUploads(browser, realmId);
      const old = new Set(made.map(({ Id }) => Id));
      const now = await app.intuit.invoices(realmId);
      const fresh = now.filter(({ Id }) => !known.has(Id) && !old.has(Id));
      const forced = compareBooks(fresh, renumberedRows);
      expect(fresh).toHaveLength(INVOICES);
      for (const key of ["once", "doubled"] as const) renumbered[key] += forced[key];
    }
    printCounts(run, "same file", {
      files: Math.ceil(run.times / 2) * 2,
      "uploads of each": TABS + 2,
      ...counts,
      "again under new numbers": renumbered.once,
    });
    const once = Math.ceil(run.times / 2) * 2 * INVOICES;
    expect(counts).toEqual({
      once,
      missing: 0,
      doubled: 0,
      strangers: 0,
      skipped: once * TABS,
      skippedADayLater: once,
    });
    expect(renumbered).toEqual({ once: 2 * INVOICES, doubled: 0 });
  },
);

async function postFile(tab: Browser, realmId: string, file: { name: string; bytes: Uint8Array }) {
  const reply = await tab.call(postInvoices, { query: { realm_id: realmId }, file });
  expect([reply.status, reply.status === 202 ? "" : reply.text]).toEqual([202, ""]);
}

/** The demo's companies keep Pacific time. */
const dayAtCompany = (iso: string) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "America/Los_Angeles" }).format(
    new Date(iso),
  );

/** Rows of an upload that were posted by one of an earlier day, which every message names. */
function countSkipped(upload: UploadSummary | undefined, day: string): number {
  for (const { message } of upload?.results ?? []) {
    expect(message).toContain(`Skipped: already uploaded on ${day} in "`);
    expect(message).toContain(" (invoice ");
  }
  return upload ? countRows(upload) : 0;
}

/** Checks that one of the newest uploads posted its invoices, and that each other one says for every row what was posted, when, as what. */
function checkSkipped(list: UploadList, count: number): { skipped: number; day: string } {
  const newest = list.uploads.slice(0, count);
  const posted = newest.filter(({ results }) => results.some(({ status }) => status === 0));
  expect(posted).toHaveLength(1);
  const others = newest.filter((upload) => !posted.includes(upload));
  for (const { results } of others) {
    for (const { message } of results) expect(message).toMatch(/^Skipped: already uploaded on /);
  }
  const skipped = others.reduce((sum, upload) => sum + countRows(upload), 0);
  return { skipped, day: dayAtCompany(posted[0]?.timestamp ?? "") };
}

const countRows = ({ counts }: UploadSummary) => counts.total;
