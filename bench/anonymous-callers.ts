import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { downloadProblemRows, listUploads } from "#features/invoices/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import { systemClock } from "#platform/clock.ts";
import { createGate } from "#platform/http/gate.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../test/support/intuit.ts";
import { settledUploads, uploadRows } from "../test/support/uploads.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../test/support/run-product.ts";
import { invoiceRows } from "../test/support/workbooks.ts";
import { figure, info, percentile, report, spread, type Figure } from "./support/figures.ts";
import { cpuMs, findServer } from "./support/processes.ts";
import { createClient } from "./support/requests.ts";
import type { Sending, Sent } from "./support/send-steadily.ts";

/**
 * Measures what one sender at its limit costs others: a user's calls alongside each kind of anonymous sender, and alongside 20
 * callers of heavy endpoints; and what the gate and the sink of error reports cost. Alone and beside take turns, so that
 * other work of the machine is in both; where that work is much, `chrt --rr 1 npm run bench anonymous-callers` keeps it out of the slowest
 * calls.
 */
const ROUNDS = 24;
const ROUND_MS = 1_000;
/** Sessions of the user who is measured: one of them may make ten calls a second. */
const SESSIONS = 6;
const BETWEEN_MS = 20;
const HEAVY_CALLERS = 20;
const FAULTY_ROWS = 300;
const MESSAGE = JSON.stringify({
  name: "Nia New",
  email: "nia@new.example",
  topic: "other",
  message: "x".repeat(2_000),
});
const GATE_CALLS = 200_000;
const SINK_EVENTS = 3_000;
const SINK_AT_ONCE = 20;

const place = await createInstance();
try {
  const product = await runProduct(place, {
    CALLS_PER_MINUTE: String(HTTP_LIMITS.callsPerMinute),
    TRUST_PROXY: "1",
  });
  try {
    report("Another user's calls beside a sender at its limit", await measure(product));
  } catch (error) {
    throw new Error(`The measurement ended early. The product said: ${product.output()}`, { cause: error });
  } finally {
    await product.stop();
  }
} finally {
  await removeInstance(place);
}

async function measure(product: Product): Promise<Figure[]> {
  const signIn = (email: string) => async () => {
    const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await browser.signIn(email);
    return browser;
  };
  const users = await inTurn(SESSIONS, signIn("platform@dockside.example"));
  // A network starts 30 sign-ins a minute.
  const heavy = await inTurn(HEAVY_CALLERS, signIn("owner@acme.example"));
  const watch = watchCalls(product, users);
  await watch(5 * ROUND_MS);
  const figures = [];
  for (const [name, sending] of Object.entries(listSenders(product)))
    figures.push(...(await compare(name, { sending, watch, most: 1.2 })));
  const [first] = heavy;
  if (!first) throw new Error("There is no heavy caller.");
  const rows = invoiceRows(FAULTY_ROWS, { prefix: "F" });
  await uploadRows(
    first,
    ACME,
    rows.map((row, at) => ({ ...row, Customer: `Unknown Trading ${at}` })),
  );
  const { uploads } = await settledUploads(first, ACME);
  const path = downloadProblemRows.path.replace(":upload_id", uploads[0]?.id ?? "");
  const calls = heavy.map((browser) => ({
    method: "GET" as const,
    path: `${path}?realm_id=${ACME}`,
    headers: { cookie: printCookies(browser) },
  }));
  const sending = { origin: product.url, perSecond: atLimit(HEAVY_CALLERS * 60), calls };
  figures.push(...(await compare(`${HEAVY_CALLERS} callers of workbooks`, { sending, watch, most: 2 })));
  return [...figures, measureGate(), ...(await measureSink(product))];
}

/** Each kind of anonymous sender, at nearly the rate of its limit, from a network of its own. */
function listSenders({ url: origin }: Product): Record<string, Sending> {
  const { reportsPerMinute, vendorCallsPerMinute, callsPerMinute } = HTTP_LIMITS;
  const from = (network: number) => ({ "x-forwarded-for": `192.0.2.${network}`, origin });
  const post = (network: number, path: string, body: Uint8Array, headers = {}) => ({
    method: "POST" as const,
    path,
    headers: { ...from(network), ...headers },
    body,
  });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const node = '{"type":2,"tagName":"div","attributes":{},"childNodes":[],"id":1},';
  const recording = gzipSync(
    JSON.stringify({
      id: "0".repeat(32),
      page: "/app/",
      release: "bench",
      events: [{ type: 2, timestamp: 1, data: "DATA" }],
    }).replace('"DATA"', () => `{"node":{"childNodes":[${node.repeat(25_000).slice(0, -1)}]}}`),
  );
  const json = { "content-type": "application/json" };
  const made = (at: number) => ({ authorization: `Bearer dk_${String(at).padStart(43, "0")}` });
  return {
    "error reports of 1 MB": {
      origin,
      perSecond: atLimit(reportsPerMinute),
      calls: [post(1, "/telemetry/errors", bytes(makeEnvelope(origin, "a-".repeat(500_000))))],
    },
    "recordings of 1.6 MB unpacked": {
      origin,
      perSecond: atLimit(reportsPerMinute),
      calls: [post(2, "/telemetry/recordings", recording)],
    },
    "orders of 1 MB with made-up keys": {
      origin,
      perSecond: atLimit(callsPerMinute),
      calls: Array.from({ length: 100 }, (_, at) =>
        post(3, takeOrders.path, bytes("[".repeat(1_000_000)), { ...json, ...made(at) }),
      ),
    },
    "messages of the contact page": {
      origin,
      perSecond: atLimit(callsPerMinute),
      calls: [post(4, "/api/v1/contact", bytes(MESSAGE), json)],
    },
    "forged events of a vendor": {
      origin,
      perSecond: atLimit(vendorCallsPerMinute),
      calls: [post(5, "/intuit/webhook", bytes(`[${"{},".repeat(300)}{}]`), json)],
    },
  };
}

function makeEnvelope(origin: string, value: string): string {
  const event = {
    event_id: crypto.randomUUID().replaceAll("-", ""),
    timestamp: 1_795_000_000,
    platform: "javascript",
    level: "error",
    release: "bench",
    transaction: "/app/",
    exception: {
      values: [
        {
          type: "TypeError",
          value,
          stacktrace: { frames: [{ filename: `${origin}/assets/shell.js`, function: "run", lineno: 1 }] },
        },
      ],
    },
  };
  const dsn = `${origin.replace("://", "://local@")}/1`;
  return [{ dsn }, { type: "event" }, event].map((part) => `${JSON.stringify(part)}\n`).join("");
}

type Watch = (forMs: number) => Promise<number[]>;

/** Calls in turn with the sessions of a user, at most as many as they may. */
function watchCalls({ url }: Product, users: readonly Browser[]): Watch {
  const clients = users.map(({ cookies }) => createClient(url, cookies));
  let turn = 0;
  return async (forMs) => {
    const times = [];
    for (const until = performance.now() + forMs; performance.now() < until;) {
      const answer = await clients[turn++ % clients.length]?.get(`${listUploads.path}?realm_id=${BAY}`);
      if (answer?.status !== 200)
        throw new Error(`The user got ${answer?.status}: ${answer?.body.toString()}`);
      times.push(answer.ms);
      await wait(BETWEEN_MS);
    }
    return times;
  };
}

type Comparison = { sending: Sending; watch: Watch; most: number };

async function compare(name: string, { sending, watch, most }: Comparison): Promise<Figure[]> {
  const sender = new Worker(new URL("./support/send-steadily.ts", import.meta.url), { workerData: sending });
  const server = findServer();
  const times = { alone: [] as number[], beside: [] as number[] };
  const sent: Sent = {};
  let cpu = 0;
  const watchAlone = async () => void times.alone.push(...(await watch(ROUND_MS)));
  for (let round = 0; round < ROUNDS; round += 1) {
    // First in one round, last in the next: a machine that becomes busier changes both alike.
    if (round % 2 === 0) await watchAlone();
    sender.postMessage(true);
    const before = cpuMs(server);
    times.beside.push(...(await watch(ROUND_MS)));
    cpu += cpuMs(server) - before;
    const answer = new Promise<Sent>((resolve) => sender.once("message", resolve));
    sender.postMessage(false);
    for (const [status, count] of Object.entries(await answer))
      sent[Number(status)] = (sent[Number(status)] ?? 0) + count;
    // Calls still in progress would be in the next round.
    await wait(200);
    if (round % 2 === 1) await watchAlone();
  }
  await sender.terminate();
  const answers = Object.entries(sent).map(([status, count]) => `${count} × ${status}`);
  return [
    info(`${name}: answers`, answers.join(", ")),
    info("  the server meanwhile", `${((cpu / (ROUNDS * ROUND_MS)) * 100).toFixed(0)} % of a core`),
    info("  p50 / p95 / p99 alone", spread(times.alone)),
    info("  beside", spread(times.beside)),
    figure("  p95, ratio", percentile(times.beside, 0.95) / percentile(times.alone, 0.95), {
      most,
      unit: "×",
    }),
  ];
}

function measureGate(): Figure {
  const gate = createGate(systemClock, { ...HTTP_LIMITS, callsPerMinute: 1_000_000 });
  const before = process.threadCpuUsage();
  for (let call = 0; call < GATE_CALLS; call += 1) {
    const ip = `2001:db8:${(call % 5_000).toString(16)}::1`;
    gate.enter({ ip }, `made-up ${call}`);
    if (call % 2 === 0) gate.admit(`session ${call % 100}`);
  }
  const { user, system } = process.threadCpuUsage(before);
  return figure("the gate, CPU a call", (user + system) / 1_000 / GATE_CALLS, { most: 0.2, unit: "ms" });
}

/** Error reports of many networks, one event each, as pages send them. */
async function measureSink({ url }: Product): Promise<Figure[]> {
  const server = findServer();
  let next = 0;
  const refused: number[] = [];
  const send = async (until: number) => {
    while (next < until) {
      const network = next++;
      const response = await fetch(new URL("/telemetry/errors", url), {
        method: "POST",
        headers: { origin: url, "x-forwarded-for": `198.51.${network % 100}.${network % 250}` },
        body: makeEnvelope(url, `rows is undefined ${network % 50}`),
      });
      await response.arrayBuffer();
      if (response.status !== 200) refused.push(response.status);
    }
  };
  const sendAll = (until: number) => Promise.all(Array.from({ length: SINK_AT_ONCE }, () => send(until)));
  await sendAll(SINK_EVENTS / 3);
  const before = cpuMs(server);
  const first = next;
  await sendAll(SINK_EVENTS + first);
  const seconds = (cpuMs(server) - before) / 1_000;
  return [
    figure("error reports not taken", refused.length, { most: 0, unit: "" }),
    figure("error reports a CPU second of the server", (next - first) / seconds, { least: 1_000, unit: "" }),
  ];
}

/** Nearly the rate of a limit, so that no call is refused. */
function atLimit(perMinute: number): number {
  return (perMinute / 60) * 0.95;
}

function printCookies({ cookies }: Browser): string {
  return [...cookies].map((pair) => pair.join("=")).join("; ");
}

async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const all = [];
  while (all.length < count) all.push(await make());
  return all;
}
