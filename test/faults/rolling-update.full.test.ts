import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { followChanges } from "#features/companies/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { createTestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-ports.ts";
import { ACME, driveIntuit, liftLimits } from "../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  startProduct,
  untilClosed,
  type ProductInstance,
} from "../support/run-product.ts";
import { openBucket } from "../support/s3.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows, type InvoiceRow } from "../support/workbooks.ts";
import { battery, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { SEALING_KEYS } from "./support/second-process.ts";

const run = battery({ short: 2, long: 20 });
const HAPROXY = "/usr/sbin/haproxy";
const CONFIG = join(import.meta.dirname, "../../deploy/haproxy-web.cfg");
const INVOICES = 40;
/** As docs/operations.md says. */
const DRAIN_MS = 5_000;

test.skipIf(!existsSync(HAPROXY))(
  `HA-04 a worker and two web processes behind HAProxy are replaced in turn ${run.times} times under load: no call fails, and every invoice is created once`,
  { timeout: run.timeout },
  async () => {
    const [database, bucket] = [await createTestDatabase(), await openBucket()];
    const places = await Promise.all([createInstance(), createInstance(), createInstance()]);
    onTestFinished(async () => {
      await Promise.all(places.map(removeInstance));
      await database.drop();
    });
    // It stays: the simulators are its own, and users sign in there.
    const [desk, ...webs] = places as [ProductInstance, ProductInstance, ProductInstance];
    const proxy = await startProxy(webs.map(({ port }) => `127.0.0.1:${port}`));
    const shared = { ...bucket.env, DATABASE_URL: database.url, SEALING_KEYS, LOG_LEVEL: "warn" };
    const start = async (place: ProductInstance, env: Record<string, string>) => {
      const product = await startProduct(place, { ...shared, ...env });
      onTestFinished(async () => void (await product.stop()));
      return product;
    };
    const startWorker = () => start(desk, { ROLES: "worker" });
    const startWeb = async (at: number) => {
      const web = await start(webs[at]!, {
        ROLES: "web",
        HOST: "127.0.0.1",
        PUBLIC_URL: proxy.url,
        TRUST_PROXY: "1",
      });
      await proxy.admit(at);
      return web;
    };
    const first = await start(desk, { ROLES: "web" });
    const intuit = driveIntuit(first.intuitUrl);
    await liftLimits(intuit, ACME);
    const known = new Set((await intuit.invoices(ACME)).map(({ Id }) => Id));
    const signedIn = createBrowser(first.url, intuit);
    await signedIn.signIn("owner@acme.example");
    const browser = createBrowser(proxy.url, intuit);
    for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
    let worker = await startWorker();
    const products = [await startWeb(0), await startWeb(1)];
    const load = useProduct(browser, proxy.url);
    const slowest: number[] = [];
    for (let time = 0; time < run.times; time += 1) {
      const next = await startWorker();
      await worker.terminate();
      worker = next;
      for (const at of [0, 1]) {
        await proxy.drain(at);
        await products[at]?.terminate();
        products[at] = await startWeb(at);
      }
      slowest.push(load.takeSlowest());
    }
    const { calls, failed, rows, streams } = await load.end();
    await settledUploads(browser, ACME);
    const books = compareBooks(
      (await intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id)),
      rows,
    );
    printCounts(run, "rolling-update", {
      "processes replaced": run.times * 3,
      calls,
      failed: failed.length,
      streams,
      "slowest call, seconds": Math.max(...slowest),
      uploads: rows.length / INVOICES,
      books: JSON.stringify(books),
    });
    expect(failed).toEqual([]);
    expect(calls).toBeGreaterThan(run.times * 100);
    expect(streams).toBeGreaterThan(run.times);
    expect(books).toEqual({ once: rows.length, missing: 0, doubled: 0, strangers: 0 });
    expect(rows.length).toBeGreaterThanOrEqual(run.times * INVOICES);
  },
);

/** HAProxy with the configuration of deploy/, before web processes that are replaced as docs/operations.md says. */
async function startProxy(addresses: readonly string[]) {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), "dockside-proxy-")), freePort()]);
  const env = {
    ADMIN_SOCKET: join(folder, "admin"),
    WEB_ADDRESS: `127.0.0.1:${port}`,
    ...Object.fromEntries(addresses.map((address, at) => [`WEB${at + 1}`, address])),
  };
  const child = spawn(HAPROXY, ["-db", "-f", CONFIG], { env, stdio: "ignore" });
  onTestFinished(async () => {
    child.kill();
    await untilClosed(child);
    await rm(folder, { recursive: true, force: true });
  });
  const say = async (command: string): Promise<string> => {
    const socket = createConnection(env.ADMIN_SOCKET);
    socket.end(`${command}\n`);
    let answer = "";
    for await (const part of socket) answer += String(part);
    return answer;
  };
  const readServer = async (at: number) => {
    const [head = "", ...lines] = (await say("show stat")).replace("# ", "").split("\n");
    const values = lines.find((line) => line.startsWith(`product,web${at + 1},`))?.split(",") ?? [];
    return Object.fromEntries(head.split(",").map((name, place) => [name, values[place]]));
  };
  return {
    url: `http://localhost:${port}`,
    /** Gives a process no new calls, and time to answer those that it has; an open stream of changes would never end. */
    drain: async (at: number) => {
      await say(`set server product/web${at + 1} state drain`);
      await wait(DRAIN_MS);
    },
    /** Gives a process calls again, once it answers. */
    admit: async (at: number) => {
      await say(`set server product/web${at + 1} state ready`);
      while ((await readServer(at))["status"] !== "UP") await wait(50);
    },
  };
}

/** Lists without a pause, uploads one after the other, and follows the changes. */
function useProduct(browser: Browser, url: string) {
  const stop = new AbortController();
  const [failed, rows]: [string[], InvoiceRow[]] = [[], []];
  let [calls, slowest] = [0, 0];
  const repeat = async (pauseMs: number, call: () => ReturnType<Browser["call"]>) => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const { status, text } = await call().catch((error: unknown) => ({ status: 0, text: String(error) }));
      calls += 1;
      slowest = Math.max(slowest, Math.round(performance.now() - startedAt) / 1_000);
      if (status === 0 || status >= 400) failed.push(`${status} ${text.slice(0, 200)}`);
      await wait(pauseMs);
    }
  };
  const list = () => browser.call(listUploads, { query: { realm_id: ACME } });
  const upload = () => {
    const firstCents = 1_000 + rows.length;
    const more = invoiceRows(INVOICES, { prefix: `R${rows.length}-`, firstCents });
    rows.push(...more);
    return uploadRows(browser, ACME, more);
  };
  let streams = 0;
  /** As a page does: a stream ends with its process, and the next one is opened. */
  const follow = async () => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    while (!stop.signal.aborted) {
      const answer = await fetch(new URL(followChanges.path, url), {
        headers: { cookie },
        signal: stop.signal,
      }).catch(() => null);
      if (answer?.status === 200) streams += 1;
      else if (!stop.signal.aborted) failed.push(`stream ${answer?.status}`);
      await answer?.text().catch(() => "");
      await wait(1_000);
    }
  };
  const loads = [repeat(20, list), repeat(20, list), repeat(50, list), repeat(4_000, upload), follow()];
  return {
    /** The longest call since the last question, in seconds. */
    takeSlowest: () => {
      const taken = slowest;
      slowest = 0;
      return taken;
    },
    end: async () => {
      stop.abort();
      await Promise.all(loads);
      return { calls, failed, rows, streams };
    },
  };
}
