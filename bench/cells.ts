import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, driveIntuit, NEWCOMER } from "../test/support/intuit.ts";
import { TEST_KEYS } from "../test/support/keys.ts";
import { findPlace, removePlace, startProduct, type Product } from "../test/support/run-product.ts";
import { figure, info, report, type Figure } from "./support/figures.ts";
import { cpuMs, findServer } from "./support/processes.ts";
import { createClient } from "./support/requests.ts";

/**
 * Measures what the choice of a database costs: the CPU of the web process for one call, with one database and with two, for a
 * company in each.
 */
const CALLS = 2_000;
const ROUNDS = 3;

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log: createLog("warn") });
const place = await findPlace();
const first = { DATABASE_URL: server.connectionString, SEALING_KEYS: TEST_KEYS };
try {
  await onServer("create database east");
  const east = new URL(server.connectionString);
  east.pathname = "/east";
  // The first start makes the demo, whose work goes on for a while.
  await measure(first, { [ACME]: "owner@acme.example" });
  const alone = await measure(first, { [ACME]: "owner@acme.example" });
  const both = await measure(
    { ...first, CELLS: `east=${east.href}` },
    { [ACME]: "owner@acme.example", [NEWCOMER]: "new@newcomer.example" },
  );
  const ratio = (name: string, cell: number) =>
    figure(name, cell / (alone[ACME] ?? 0), { most: 1.15, unit: "× that with one database" });
  report(`A list of uploads, ${CALLS} calls`, [
    info("CPU of the server for a call, one database", `${(alone[ACME] ?? 0).toFixed(2)} ms`),
    ratio("  the same company beside a second database", both[ACME] ?? 0),
    ratio("  a company in the second database", both[NEWCOMER] ?? 0),
  ] satisfies Figure[]);
} finally {
  await server.stop();
  await removePlace(place);
  await rm(folder, { recursive: true, force: true });
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** @returns CPU milliseconds of a call, by company; the best of several rounds, since other work only adds to it */
async function measure(
  env: Record<string, string>,
  owners: Record<string, string>,
): Promise<Record<string, number>> {
  const product = await startProduct(place, { ...env, ROLES: "web" });
  try {
    const costs: Record<string, number> = {};
    for (const [realmId, email] of Object.entries(owners)) {
      const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
      await browser.signIn(email);
      await browser.connect(email, realmId);
      const rounds: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(await costOfCall(product, browser, realmId));
      costs[realmId] = Math.min(...rounds);
    }
    return costs;
  } finally {
    await product.stop();
  }
}

async function costOfCall({ url }: Product, browser: Browser, realmId: string): Promise<number> {
  const client = createClient(url, browser.cookies);
  const pid = findServer();
  const path = `/api/v1/invoices?realm_id=${realmId}`;
  for (let call = 0; call < CALLS / 10; call += 1) await client.get(path);
  const before = cpuMs(pid);
  for (let call = 0; call < CALLS; call += 1) {
    const { status, body } = await client.get(path);
    if (status !== 200) throw new Error(`A call was answered with ${status}: ${body.toString()}`);
  }
  client.close();
  return (cpuMs(pid) - before) / CALLS;
}
