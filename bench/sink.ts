import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { join } from "node:path";
import pg from "pg";
import { readPostmaster } from "#platform/db/embedded/postmaster.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import {
  findPlace,
  removePlace,
  runProduct,
  startProduct,
  type Product,
} from "../test/support/run-product.ts";
import { figure, info, report } from "./support/figures.ts";
import { cpuMs, findServer, treeCpuMs } from "./support/processes.ts";

/**
 * Error reports of browsers, as their SDK sends them, to the product's own sink: processor time for each, and whether one is
 * missing after the process was killed in the middle. Times of a busy machine say little: processor time does not count the
 * others.
 */
const EVENTS = 12_000;
const WARM = 2_000;
const AT_ONCE = 32;
const FRAMES = 12;

let network = 0;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const place = await findPlace();
// Each report comes from another network: one network has a limit of its own.
const env = { TRUST_PROXY: "1" };
let product = await runProduct(place, env);
try {
  await sendReports(product, WARM);
  const server = findServer();
  const before = { server: cpuMs(server), database: databaseMs(), at: performance.now() };
  const acknowledged = await sendReports(product, EVENTS);
  const seconds = (performance.now() - before.at) / 1_000;
  const [own, database] = [cpuMs(server) - before.server, databaseMs() - before.database];
  const killed = await killBusy(product);
  product = await startProduct(place, env);
  const lost = await countMissing([...acknowledged, ...killed]);
  report(`${EVENTS} error events of ${createEnvelope("").length} bytes, ${AT_ONCE} at once`, [
    figure("events for a second of the server's processor time", EVENTS / (own / 1_000), {
      least: 1_000,
      unit: "events/s",
    }),
    info("  with its database's", `${Math.round(EVENTS / ((own + database) / 1_000))} events/s`),
    info("  by the clock, with everything on this machine", `${Math.round(EVENTS / seconds)} events/s`),
    info("answered before the process was killed", `${killed.length} events`),
    figure("lost of all that were answered", lost, { most: 0, unit: "events" }),
  ]);
} finally {
  agent.destroy();
  await product.stop();
  await removePlace(place);
}

/** @returns ids of the events that were answered with 200 */
async function sendReports({ url }: Product, count: number): Promise<string[]> {
  const answered: string[] = [];
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const id = randomUUID().replaceAll("-", "");
      if ((await post(url, createEnvelope(url, id))) === 200) answered.push(id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  if (answered.length < count) throw new Error(`${count - answered.length} reports were refused.`);
  return answered;
}

/** Kills the process while reports arrive. @returns ids of the events that were answered before */
async function killBusy({ url, kill }: Product): Promise<string[]> {
  const answered: string[] = [];
  const killing: Promise<void>[] = [];
  const one = async () => {
    for (;;) {
      const id = randomUUID().replaceAll("-", "");
      if ((await post(url, createEnvelope(url, id)).catch(() => 0)) !== 200) return;
      answered.push(id);
      if (answered.length > 1_000 && killing.length === 0) killing.push(kill());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  await Promise.all(killing);
  return answered;
}

function createEnvelope(url: string, id = randomUUID().replaceAll("-", "")): string {
  const frames = Array.from({ length: FRAMES }, (_, at) => ({
    filename: `${url}/assets/invoices-page-parts-C73A1Nu${at}.js`,
    function: `drawRowsOfUpload${at}`,
    lineno: 1,
    colno: 20_000 + at,
    in_app: true,
  }));
  const event = {
    event_id: id,
    timestamp: Date.now() / 1_000,
    platform: "javascript",
    level: "error",
    release: "dockside@0.1.0",
    environment: "production",
    transaction: "/app/",
    tags: { branch: "main", request_id: randomUUID(), status: "500", code: "unexpected" },
    user: { id: randomUUID(), username: "Olive Owner", email: "owner@acme.example" },
    contexts: { trace: { trace_id: id, span_id: id.slice(0, 16) } },
    exception: {
      values: [{ type: "TypeError", value: "Cannot read properties of undefined", stacktrace: { frames } }],
    },
    breadcrumbs: Array.from({ length: 10 }, (_, at) => ({
      category: "fetch",
      message: `Call ${at} of the page`,
    })),
  };
  const dsn = url.replace("://", "://local@") + "/1";
  return [{ event_id: id, sent_at: new Date().toISOString(), dsn }, { type: "event" }, event]
    .map((part) => JSON.stringify(part))
    .join("\n");
}

function post(url: string, body: string): Promise<number> {
  network += 1;
  const address = `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;
  const headers = { "content-type": "text/plain;charset=UTF-8", origin: url, "x-forwarded-for": address };
  return new Promise((resolve, reject) => {
    const call = request(new URL("/telemetry/errors", url), { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** Processor time of the embedded database so far, milliseconds. */
function databaseMs(): number {
  const postmaster = readPostmaster(join(place.folder, "postgres/database"));
  if (!postmaster) throw new Error("The product's database is not running.");
  return treeCpuMs(postmaster.pid);
}

async function countMissing(ids: readonly string[]): Promise<number> {
  // The product's own, which is running.
  const { connectionString } = await startEmbeddedPostgres({
    dataDir: place.folder,
    log: createLog("silent"),
  });
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ missing: number }>(
    "select count(*)::int as missing from unnest($1::uuid[]) as sent (id) where not exists (select from error_report e where e.id = sent.id)",
    [ids],
  );
  await client.end();
  return rows[0]?.missing ?? ids.length;
}
