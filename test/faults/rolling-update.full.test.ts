import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { createTestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-ports.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import { findPlace, removePlace, startProduct, untilClosed } from "../support/run-product.ts";
import { uploadRows } from "../support/uploads.ts";
import { invoiceLine } from "../support/workbooks.ts";
import { battery, printCounts } from "./support/battery.ts";
import { SEALING_KEYS } from "./support/second-process.ts";

const run = battery({ short: 2, long: 20 });
const HAPROXY = "/usr/sbin/haproxy";
const CONFIG = join(import.meta.dirname, "../../deploy/haproxy-web.cfg");
/** Between the end of new calls and that of the process, as docs/operations.md says. */
const DRAIN_MS = 5_000;

/** HAProxy before two web processes; `say` is a command of its socket. */
async function startProxy(webs: readonly [string, string]) {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), "dockside-proxy-")), freePort()]);
  const env = {
    ADMIN_SOCKET: join(folder, "admin"),
    WEB_ADDRESS: `127.0.0.1:${port}`,
    WEB1: webs[0],
    WEB2: webs[1],
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
  return { port, say };
}

test.skipIf(!existsSync(HAPROXY))(
  `HA-04 two web processes behind HAProxy are replaced in turn ${run.times} times under load: no call fails, and no upload is lost`,
  { timeout: run.timeout },
  async () => {
    const database = await createTestDatabase();
    const places = [await findPlace(), await findPlace()] as const;
    const proxy = await startProxy([`127.0.0.1:${places[0].port}`, `127.0.0.1:${places[1].port}`]);
    const url = `http://localhost:${proxy.port}`;
    const env = { DATABASE_URL: database.url, SEALING_KEYS, ROLES: "web", PUBLIC_URL: url, TRUST_PROXY: "1" };
    onTestFinished(async () => {
      await Promise.all(places.map(removePlace));
      await database.drop();
    });
    const start = async (at: 0 | 1) => {
      const product = await startProduct(places[at], { ...env, HOST: "127.0.0.1" });
      onTestFinished(async () => void (await product.stop()));
      while (
        !/UP/.test(
          (await proxy.say("show stat"))
            .split("\n")
            .find((line) => line.startsWith(`product,web${at + 1},`)) ?? "",
        )
      )
        await wait(100);
      return product;
    };
    const first = await start(0);
    const browser = createBrowser(url, driveIntuit(first.intuitUrl));
    await browser.signIn("owner@acme.example");
    const products = [first, await start(1)];
    const load = useProduct(browser);
    for (let time = 0; time < run.times; time += 1) {
      const at = time % 2 === 0 ? 0 : 1;
      await proxy.say(`set server product/web${at + 1} state drain`);
      await wait(DRAIN_MS);
      await products[at]?.terminate();
      products[at] = await start(at);
      await proxy.say(`set server product/web${at + 1} state ready`);
      await wait(1_000);
    }
    const { calls, failed, sent } = await load.end();
    const list = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
    printCounts(run, "rolling-update", { replaced: run.times, calls, failed: failed.length, uploads: sent });
    expect(failed).toEqual([]);
    expect(calls).toBeGreaterThan(100);
    expect(list.total_count).toBe(sent);
  },
);

/** Lists and uploads without a pause. */
function useProduct(browser: Browser) {
  const stop = new AbortController();
  const failed: string[] = [];
  let [calls, sent] = [0, 0];
  const repeat = async (pauseMs: number, call: () => Promise<{ status: number; text: string }>) => {
    while (!stop.signal.aborted) {
      calls += 1;
      const { status, text } = await call().catch((error: unknown) => ({ status: 0, text: String(error) }));
      if (status === 0 || status >= 400) failed.push(`${status} ${text.slice(0, 200)}`);
      await wait(pauseMs);
    }
  };
  const list = () => browser.call(listUploads, { query: { realm_id: ACME } });
  const upload = () => uploadRows(browser, ACME, [invoiceLine(`R-${(sent += 1)}`)]);
  const loads = [repeat(20, list), repeat(20, list), repeat(50, list), repeat(1_200, upload)];
  return {
    end: async () => {
      stop.abort();
      await Promise.all(loads);
      return { calls, failed, sent };
    },
  };
}
