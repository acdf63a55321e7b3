import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listUploads } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, driveIntuit, liftLimits } from "../test/support/intuit.ts";
import { createInstance, removeInstance, startProduct } from "../test/support/run-product.ts";
import { settledUploads, uploadRows } from "../test/support/uploads.ts";
import { invoiceRows } from "../test/support/workbooks.ts";
import { figure, info, percentile, report } from "./support/figures.ts";
import { cpuMs, findServer, treeCpuMs } from "./support/processes.ts";

/**
 * Measures what HAProxy between the product and three PostgreSQL costs: processor time of product, primary and HAProxy for the
 * same uploads and lists, through HAProxy and with the primary's own address in turn. Needs Debian's packages of
 * deploy/three-postgres.sh, and root.
 */
const TURNS = 3;
const UPLOADS = 4;
const INVOICES = 100;
const LISTS = 500;
const SCRIPT = join(import.meta.dirname, "../deploy/three-postgres.sh");
const BASE_PORT = 16_440;

/** Processor time, milliseconds. */
type Spent = { product: number; database: number; proxy: number };
const sum = ({ product, database, proxy }: Spent) => product + database + proxy;

const folder = await mkdtemp(join(tmpdir(), "dockside-proxy-bench-"));
await chmod(folder, 0o755);
const group = (command: string) =>
  execFileSync(SCRIPT, [command, folder], {
    env: { ...process.env, BASE_PORT: String(BASE_PORT), LIFE_S: "1800" },
    encoding: "utf8",
  });
const place = await createInstance();
try {
  const throughProxy = /DATABASE_URL=(\S+)/.exec(group("start"))?.[1] ?? "";
  const primary = Number(/\d/.exec(group("primary"))?.[0]);
  const direct = throughProxy.replace(String(BASE_PORT), String(BASE_PORT + primary));
  const postmaster = Number(
    (await readFile(join(folder, `data/${primary}/postmaster.pid`), "utf8")).split("\n")[0],
  );
  const haproxy = Number(await readFile(join(folder, "run/haproxy.pid"), "utf8"));
  const read = (): Spent => {
    return { product: cpuMs(findServer()), database: treeCpuMs(postmaster), proxy: treeCpuMs(haproxy) };
  };
  let turn = 0;
  const measure = async (url: string) => {
    turn += 1;
    const product = await startProduct(place, {
      DATABASE_URL: url,
      LOG_LEVEL: "warn",
    });
    try {
      const intuit = driveIntuit(product.intuitUrl);
      await liftLimits(intuit, ACME);
      const browser = createBrowser(product.url, intuit);
      await browser.signIn("owner@acme.example");
      await work(browser, `W${turn}`, 1);
      const before = read();
      await work(browser, `T${turn}`, UPLOADS);
      const after = read();
      return {
        product: after.product - before.product,
        database: after.database - before.database,
        proxy: after.proxy - before.proxy,
      };
    } finally {
      await product.stop();
    }
  };
  await measure(throughProxy);
  const pairs: { through: Spent; beside: Spent }[] = [];
  for (let time = 0; time < TURNS; time += 1) {
    // The first of a pair finds fewer rows.
    const isFirst = time % 2 === 0;
    const [first, second] = [
      await measure(isFirst ? throughProxy : direct),
      await measure(isFirst ? direct : throughProxy),
    ];
    pairs.push(isFirst ? { through: first, beside: second } : { through: second, beside: first });
  }
  const seconds = (of: "through" | "beside", what: keyof Spent) =>
    pairs.map((pair) => (pair[of][what] / 1_000).toFixed(1)).join(" ");
  report(`${UPLOADS} uploads of ${INVOICES} invoices and ${UPLOADS * LISTS} lists, ${TURNS} turns each`, [
    info("product through HAProxy, CPU s", seconds("through", "product")),
    info("product at the primary's address", seconds("beside", "product")),
    info("primary through HAProxy", seconds("through", "database")),
    info("primary at its own address", seconds("beside", "database")),
    info("HAProxy with its checks", seconds("through", "proxy")),
    figure(
      "HAProxy's part of product and primary, median",
      percentile(
        pairs.map(({ through }) => (through.proxy / (through.product + through.database)) * 100),
        0.5,
      ),
      { most: 5, unit: "%" },
    ),
    info(
      "all through HAProxy / without",
      pairs.map(({ through, beside }) => (sum(through) / (sum(beside) - beside.proxy)).toFixed(3)).join(" "),
    ),
  ]);
} finally {
  group("stop");
  await removeInstance(place);
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}

async function work(browser: Browser, prefix: string, uploads: number): Promise<void> {
  for (let upload = 0; upload < uploads; upload += 1) {
    const rows = invoiceRows(INVOICES, { prefix: `${prefix}-${upload}-`, firstCents: 1_000 });
    const { status, text } = await uploadRows(browser, ACME, rows);
    if (status !== 202) throw new Error(`An upload was answered with ${status}: ${text}`);
    for (let list = 0; list < LISTS; list += 1)
      await browser.call(listUploads, { query: { realm_id: ACME } });
    await settledUploads(browser, ACME);
  }
}
