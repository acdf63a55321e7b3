import { expect, test } from "vitest";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { switchCompany } from "#features/companies/contract.ts";
import type { Browser } from "../support/browser.ts";
import { type Intuit, NO_LIMITS } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../support/start-app.ts";
import { type InvoiceRow, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";

const run = battery({ short: 20, long: 1_000 });
const CONCURRENCY = 4;
const INVOICES = 120;

/** Actions of a user in the other company while the first one's upload is running. */
const MEANWHILE = ["connect", "connect, then upload", "connect first again", "switch"] as const;

test(
  `${run.times} times a user connects another company during an upload: every invoice stays in its own books`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({
      env: { GROUP_APP: "*" },
      limits: NO_CALLER_LIMITS,
    });
    const workers = Array.from({ length: CONCURRENCY }, (_, index) => index);
    const results = await Promise.all(
      workers.map(async (worker) => {
        const times = Math.floor((run.times + worker) / CONCURRENCY);
        const user = await makeUser(app.intuit, worker);
        const browser = app.browser();
        await browser.signIn(user.email);
        for (const realmId of user.realms) await browser.connect(user.email, realmId);
        return interleave({
          app,
          browser,
          user,
          times,
          random: seededRandom(run.seed + worker),
        });
      }),
    );
    const sum = (of: (result: (typeof results)[number]) => number) =>
      results.reduce((total, result) => total + of(result), 0);
    const counts = {
      once: sum(({ once }) => once),
      missing: sum(({ missing }) => missing),
      doubled: sum(({ doubled }) => doubled),
      strangers: sum(({ strangers }) => strangers),
    };
    printCounts(run, "other company", {
      interleavings: run.times,
      uploads: sum(({ sent }) => sent) / INVOICES,
      ...counts,
    });
    expect(counts).toEqual({ once: sum(({ sent }) => sent), missing: 0, doubled: 0, strangers: 0 });
    expect(sum(({ interleaved }) => interleaved)).toBe(run.times);
  },
);

type TestUser = { email: string; realms: readonly [string, string] };

/** A user with two companies that no one else works on. */
async function makeUser(intuit: Intuit, worker: number): Promise<TestUser> {
  const sub = `5d1f0c1e-0002-4a5e-9c11-00000000000${worker}`;
  const email = `user${worker}@two.example`;
  const realms = [`9130350000000${worker}01`, `9130350000000${worker}02`] as const;
  await intuit.control("seed", {
    users: [{ sub, email, emailVerified: true }],
    companies: realms.map((realmId, index) => ({
      realmId,
      name: `Company ${worker}-${index}`,
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

type Interleaving = { app: TestApp; browser: Browser; user: TestUser; times: number; random: () => number };

async function interleave({ app, browser, user, times, random }: Interleaving) {
  const { intuit } = app;
  const sent = new Map<string, InvoiceRow[]>(user.realms.map((realmId) => [realmId, []]));
  const upload = async (realmId: string, time: number, part: number) => {
    const prefix = realmId === user.realms[0] ? `O${time}-${part}` : "";
    // Amounts of one company never occur in the other, so a stray invoice shows.
    const firstCents = (realmId === user.realms[0] ? 1_000 : 5_000_000) + (time * 2 + part) * INVOICES;
    const rows = invoiceRows(INVOICES, { prefix, firstCents });
    sent.get(realmId)?.push(...rows);
    const file = { name: "two.xlsx", bytes: await invoiceWorkbook(rows) };
    const reply = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
    if (reply.status !== 202) throw new Error(`The upload was refused: ${reply.text}`);
  };
  const known = new Set<string>();
  for (const realmId of user.realms) {
    for (const { Id } of await intuit.invoices(realmId)) known.add(`${realmId} ${Id}`);
  }
  let interleaved = 0;
  for (let time = 0; interleaved < times; time += 1) {
    const [first, other] = random() < 0.5 ? user.realms : user.realms.toReversed();
    if (!first || !other) throw new Error("There must be two companies.");
    await upload(first, time, 0);
    let part = 1;
    while (interleaved < times && (await isRunning(browser, first))) {
      interleaved += 1;
      const meanwhile = MEANWHILE[Math.floor(random() * MEANWHILE.length)] ?? "connect";
      if (meanwhile === "switch") await browser.call(switchCompany, { query: { realm_id: other } });
      else await browser.connect(user.email, meanwhile === "connect first again" ? first : other);
      if (meanwhile === "connect, then upload" && part === 1) await upload(other, time, part++);
      await app.settle(random() * 40);
    }
    for (const realmId of user.realms) while (await isRunning(browser, realmId)) await app.settle();
  }
  const totals = { once: 0, missing: 0, doubled: 0, strangers: 0, sent: 0, interleaved };
  for (const realmId of user.realms) {
    const made = (await intuit.invoices(realmId)).filter(({ Id }) => !known.has(`${realmId} ${Id}`));
    const rows = sent.get(realmId) ?? [];
    const books = compareBooks(made, rows);
    for (const key of ["once", "missing", "doubled", "strangers"] as const) totals[key] += books[key];
    totals.sent += rows.length;
  }
  return totals;
}

async function isRunning(browser: Browser, realmId: string): Promise<boolean> {
  const reply = await browser.call(listUploads, { query: { realm_id: realmId, limit: "1" } });
  if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
  return (reply.json() as UploadList).in_process;
}
