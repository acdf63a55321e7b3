import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { switchCompany } from "#features/companies/contract.ts";
import type { Browser } from "../support/browser.ts";
import { fastClock } from "../support/fast-clock.ts";
import { type Intuit, NO_LIMITS } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { type InvoiceRow, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { battery, seededRandom, tell } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";

const run = battery({ short: 20, long: 1_000 });
const LANES = 4;
const INVOICES = 120;

/** Things a person may do with the other company while the first one's upload is at work. */
const MEANWHILE = ["connect", "connect, then upload", "connect first again", "switch"] as const;

test(
  `${run.times} times a person connects another company amid an upload: every invoice stays in its own books`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ clock: fastClock(60), env: { GROUP_APP: "*" } });
    const lanes = Array.from({ length: LANES }, (_, index) => index);
    const results = await Promise.all(
      lanes.map(async (lane) => {
        const times = Math.floor((run.times + lane) / LANES);
        const person = await makePerson(app.intuit, lane);
        const browser = app.browser();
        await browser.signIn(person.email);
        for (const realmId of person.realms) await browser.connect(person.email, realmId);
        return interleave({
          app,
          browser,
          person,
          times,
          random: seededRandom(run.seed + lane),
        });
      }),
    );
    const sum = (of: (result: (typeof results)[number]) => number) =>
      results.reduce((total, one) => total + of(one), 0);
    const counts = {
      once: sum(({ once }) => once),
      missing: sum(({ missing }) => missing),
      doubled: sum(({ doubled }) => doubled),
      strangers: sum(({ strangers }) => strangers),
    };
    tell(run, "other company", {
      interleavings: run.times,
      uploads: sum(({ sent }) => sent) / INVOICES,
      ...counts,
    });
    expect(counts).toEqual({ once: sum(({ sent }) => sent), missing: 0, doubled: 0, strangers: 0 });
    expect(sum(({ amid }) => amid)).toBe(run.times);
  },
);

type Person = { email: string; realms: readonly [string, string] };

/** Somebody with two companies that nobody else works on. */
async function makePerson(intuit: Intuit, lane: number): Promise<Person> {
  const sub = `5d1f0c1e-0002-4a5e-9c11-00000000000${lane}`;
  const email = `person${lane}@two.example`;
  const realms = [`9130350000000${lane}01`, `9130350000000${lane}02`] as const;
  await intuit.control("seed", {
    users: [{ sub, email, emailVerified: true }],
    companies: realms.map((realmId, index) => ({
      realmId,
      name: `Company ${lane}-${index}`,
      admins: [sub],
      limits: NO_LIMITS,
      preferences: { SalesFormsPrefs: { CustomTxnNumbers: index === 0 } },
    })),
  });
  await intuit.control(
    "faults",
    realms.map((realmId) => ({
      fault: "latency",
      ms: 200,
      match: { operation: "batch", realmId },
      probability: 0.7,
      seed: run.seed,
    })),
  );
  return { email, realms };
}

type Lane = { app: TestApp; browser: Browser; person: Person; times: number; random: () => number };

async function interleave({ app, browser, person, times, random }: Lane) {
  const { intuit } = app;
  const sent = new Map<string, InvoiceRow[]>(person.realms.map((realmId) => [realmId, []]));
  const upload = async (realmId: string, time: number, part: number) => {
    const prefix = realmId === person.realms[0] ? `O${time}-${part}` : "";
    // Amounts of one company never occur in the other, so a stray invoice shows.
    const firstCents = (realmId === person.realms[0] ? 1_000 : 5_000_000) + (time * 2 + part) * INVOICES;
    const rows = invoiceRows(INVOICES, { prefix, firstCents });
    sent.get(realmId)?.push(...rows);
    const file = { name: "two.xlsx", bytes: await invoiceWorkbook(rows) };
    const reply = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
    if (reply.status !== 202) throw new Error(`The upload was refused: ${reply.text}`);
  };
  const known = new Set<string>();
  for (const realmId of person.realms) {
    for (const { Id } of await intuit.invoices(realmId)) known.add(`${realmId} ${Id}`);
  }
  let amid = 0;
  for (let time = 0; amid < times; time += 1) {
    const [first, other] = random() < 0.5 ? person.realms : person.realms.toReversed();
    if (!first || !other) throw new Error("There must be two companies.");
    await upload(first, time, 0);
    let part = 1;
    while (amid < times && (await isAtWork(browser, first))) {
      amid += 1;
      const meanwhile = MEANWHILE[Math.floor(random() * MEANWHILE.length)] ?? "connect";
      if (meanwhile === "switch") await browser.call(switchCompany, { query: { realm_id: other } });
      else await browser.connect(person.email, meanwhile === "connect first again" ? first : other);
      if (meanwhile === "connect, then upload" && part === 1) await upload(other, time, part++);
      await wait(random() * 40);
    }
    for (const realmId of person.realms) while (await isAtWork(browser, realmId)) await wait(15);
  }
  const totals = { once: 0, missing: 0, doubled: 0, strangers: 0, sent: 0, amid };
  for (const realmId of person.realms) {
    const made = (await intuit.invoices(realmId)).filter(({ Id }) => !known.has(`${realmId} ${Id}`));
    const rows = sent.get(realmId) ?? [];
    const books = compareBooks(made, rows);
    for (const key of ["once", "missing", "doubled", "strangers"] as const) totals[key] += books[key];
    totals.sent += rows.length;
  }
  return totals;
}

async function isAtWork(browser: Browser, realmId: string): Promise<boolean> {
  const reply = await browser.call(listUploads, { query: { realm_id: realmId, limit: "1" } });
  if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
  return (reply.json() as UploadList).in_process;
}
