import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { problemSchema } from "#contract/problem.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, driveIntuit, liftLimits } from "../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  SHORT_WRITE_WAITS,
  runProduct,
  type Product,
} from "../support/run-product.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { startExternalDatabase } from "./support/external-database.ts";

/** A caller is answered within this time in any state of the database. */
const ANSWERED_WITHIN_MS = 10_000;
const INVOICES = 120;

/** A web process and a worker on an external database. */
async function startBoth() {
  const database = await startExternalDatabase();
  const place = await createInstance();
  onTestFinished(() => removeInstance(place));
  const env = { ...SHORT_WRITE_WAITS, DATABASE_URL: database.url, LOG_LEVEL: "warn" };
  const web = await runProduct(place, { ...env, ROLES: "web" });
  onTestFinished(async () => void (await web.stop()));
  const worker = await runProduct(place, { ...env, ROLES: "worker" });
  onTestFinished(async () => void (await worker.stop()));
  const intuit = driveIntuit(web.intuitUrl);
  await liftLimits(intuit, ACME);
  const browser = createBrowser(web.url, intuit);
  await browser.signIn("owner@acme.example");
  return { database, web, worker, intuit, browser };
}

const list = (browser: Browser) => browser.call(listUploads, { query: { realm_id: ACME } });

/** @throws when the answer is not a 503 with a sentence and Retry-After, or came too late */
async function expectUnavailable(browser: Browser, call = list): Promise<void> {
  const startedAt = performance.now();
  const reply = await call(browser);
  expect(performance.now() - startedAt).toBeLessThan(ANSWERED_WITHIN_MS);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([
    503,
    expect.stringContaining("application/problem+json"),
  ]);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(problemSchema.parse(reply.json())).toMatchObject({
    code: "database_unavailable",
    detail: "The database isn't responding right now. Wait a moment and try again.",
  });
}

const expectRunning = (products: readonly Product[]) =>
  expect(products.map((product) => (product.isRunning() ? "running" : product.output()))).toEqual(
    products.map(() => "running"),
  );

const restarts = battery({ short: 2, long: 20 });

test(
  "a database restart kills no process: calls answer 503 meanwhile, and the work continues by itself",
  async () => {
    const { database, web, worker, intuit, browser } = await startBoth();
    const random = seededRandom(restarts.seed);
    const before = (await intuit.invoices(ACME)).length;
    let uploads = 0;
    let downMs = 0;
    for (let time = 0; time < restarts.times; time += 1) {
      await uploadRows(
        browser,
        ACME,
        invoiceRows(INVOICES, { prefix: `R${time}-`, firstCents: 1_000 + time * INVOICES }),
      );
      uploads += 1;
      await wait(random() * 1_500);
      await database.stop(time % 2 === 0 ? "orderly" : "killed");
      const absentMs = restarts.isLong ? 1_000 + random() * 59_000 : 1_000 + random() * 2_000;
      downMs += absentMs;
      const back = wait(absentMs);
      await expectUnavailable(browser);
      await back;
      await database.start();
      await expect.poll(async () => (await list(browser)).status).toBe(200);
      expectRunning([web, worker]);
    }
    const settled = await settledUploads(browser, ACME);
    expect(settled.uploads.map(({ counts }) => counts)).toEqual(
      settled.uploads.map(() => ({ total: INVOICES, completed: INVOICES, problems: 0, open: 0 })),
    );
    expect(await intuit.invoices(ACME)).toHaveLength(before + uploads * INVOICES);
    expectRunning([web, worker]);
    printCounts(restarts, "database", {
      restarts: restarts.times,
      "seconds absent": Math.round(downMs / 1000),
      "once each": uploads * INVOICES,
    });
  },
  restarts.timeout * 2,
);

test("OP-01 a frozen database answers 503 within 10 s and /readyz within 5 s, and work continues when it is back", async () => {
  const { database, web, worker, intuit, browser } = await startBoth();
  const before = (await intuit.invoices(ACME)).length;
  await uploadRows(browser, ACME, invoiceRows(INVOICES, { prefix: "F" }));
  database.freeze();
  await expectUnavailable(browser);
  await expectUnavailable(browser, (caller) => uploadRows(caller, ACME, invoiceRows(1, { prefix: "U" })));
  const asked = performance.now();
  const ready = await browser.request("/readyz");
  expect(performance.now() - asked).toBeLessThan(5_000);
  expect([ready.status, ready.json()]).toMatchObject([503, { ready: false, failing: ["database"] }]);
  expect((await browser.request("/healthz")).status).toBe(200);
  const started = performance.now();
  expect((await browser.request("/")).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(2_000);
  await Promise.all([expectUnavailable(browser), expectUnavailable(browser), expectUnavailable(browser)]);
  database.thaw();
  await expect.poll(async () => (await list(browser)).status).toBe(200);
  await expect.poll(async () => (await browser.request("/readyz")).status).toBe(200);
  await settledUploads(browser, ACME);
  expect(await intuit.invoices(ACME)).toHaveLength(before + INVOICES);
  expectRunning([web, worker]);
});
