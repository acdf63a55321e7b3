import crypto, { subtle } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { Worker } from "node:worker_threads";
import { createGzip } from "node:zlib";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

/**
 * Counts of all that the product and the simulators of this process have sent and not got back yet: statements, HTTP,
 * threads, files and compression. Each is counted where it leaves, so that a test knows when nothing more happens by itself.
 */
const inFlight = { statements: 0, sent: 0, served: 0, threads: 0, jobs: 0 };

/** Grows with each beginning and end, so that work between two looks is noticed. */
let events = 0;
let wake = () => undefined as void;

function count(kind: keyof typeof inFlight, by: 1 | -1): void {
  inFlight[kind] += by;
  events += 1;
  wake();
}

/** Work of a test's own server that no counter sees, until the returned function is called. */
export const busy = (): (() => void) => begin("jobs");

/** Counts something until its end is noted; noting it twice does no harm. */
function begin(kind: keyof typeof inFlight, client?: Client): () => void {
  count(kind, 1);
  if (client) asking.set(client, (asking.get(client) ?? 0) + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    count(kind, -1);
    if (!client) return;
    // Its end may have released what others wait for.
    locked.clear();
    const left = (asking.get(client) ?? 1) - 1;
    if (left > 0) asking.set(client, left);
    else asking.delete(client);
  };
}

/** Calls by fetch. */
const calls = new Map<object, () => void>();
subscribe("undici:request:create", (message) => {
  const { request } = message as { request: object };
  calls.set(request, begin("sent"));
});
for (const channel of ["undici:request:trailers", "undici:request:error"])
  subscribe(channel, (message) => {
    const { request } = message as { request: object };
    calls.get(request)?.();
    calls.delete(request);
  });
/** Calls by Node's own client, as libraries make them. */
subscribe("http.client.request.start", (message) => {
  const { request } = message as { request: ClientRequest };
  request.once("close", begin("sent"));
});
subscribe("http.server.request.start", (message) => {
  const { response } = message as { request: IncomingMessage; response: ServerResponse };
  response.once("close", begin("served"));
});
/** Tasks of threads: each message to one is answered by one. */
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function counted(this: Worker, ...args: Parameters<typeof postMessage>) {
  const end = begin("threads");
  const over = () => {
    this.off("message", over).off("exit", over);
    end();
  };
  this.once("message", over).once("exit", over);
  return postMessage.apply(this, args);
} as typeof postMessage;

type Callback = (...args: unknown[]) => void;
type Method = (...args: unknown[]) => unknown;
type Emitter = { once(name: string, work: () => void): void };

/** Counts calls of a method that end by a callback, a promise or an event. */
function countCalls(
  owner: object,
  name: string,
  kind: keyof typeof inFlight,
  { isByCallback = false } = {},
): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name];
  methods[name] = function counted(this: unknown, ...args: unknown[]) {
    const last = args.findLastIndex((arg) => typeof arg === "function");
    if (isByCallback && last < 0) return original?.apply(this, args);
    const end = begin(kind, kind === "statements" ? (this as Client) : undefined);
    if (last >= 0) {
      const done = args[last] as Callback;
      args[last] = (...results: unknown[]) => {
        end();
        done(...results);
      };
    }
    const result = original?.apply(this, args);
    if (last >= 0) return result;
    if (result instanceof Promise) result.then(end, end);
    else for (const event of ["end", "finish", "close", "error"]) (result as Emitter).once(event, end);
    return result;
  };
}

type Client = pg.Client & { processID?: number };

/** Connections that wait for notifications, each with the statement that made it so: repeated, it changes nothing. */
const listeners = new Map<Client, string>();
/** Connections with a statement in flight. */
const asking = new Map<Client, number>();
/** Clients whose statement waits for a lock, unless a statement has ended since. */
const locked = new Set<Client>();
const { connect, end } = pg.Client.prototype as unknown as Record<
  "connect" | "end",
  (this: Client) => Promise<void>
>;
const query = pg.Client.prototype.query as unknown as (this: Client, text: string) => Promise<unknown>;
countCalls(pg.Client.prototype, "connect", "statements");
countCalls(pg.Client.prototype, "query", "statements");
const counted = pg.Client.prototype.query as unknown as Method;
pg.Client.prototype.query = function noted(this: Client, ...args: unknown[]) {
  if (typeof args[0] === "string" && args[0].startsWith("listen ")) {
    listeners.set(this, args[0]);
    this.once("end", () => listeners.delete(this));
  }
  return counted.apply(this, args);
} as unknown as typeof pg.Client.prototype.query;

for (const name of [
  "generateKeyPair",
  "randomBytes",
  "randomFill",
  "scrypt",
  "pbkdf2",
  "hkdf",
  "sign",
  "verify",
])
  countCalls(crypto, name, "jobs", { isByCallback: true });
syncBuiltinESMExports();
const zlib = Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(createGzip()))) as object;
if (!Object.hasOwn(zlib, "_transform")) throw new Error("Node's compression works in another way now.");
countCalls(zlib, "_transform", "jobs");
for (const name of ["digest", "sign", "verify", "importKey", "exportKey", "encrypt", "decrypt"])
  countCalls(Object.getPrototypeOf(subtle) as object, name, "jobs");

/** Resources of Node that wait for others. All others are work that ends by itself: files, names of hosts, connecting. */
const STAYS =
  /^(PipeWrap|PipeServerWrap|TCPServerWrap|TCPSocketWrap|Timeout|Immediate|TTYWrap|MessagePort|Worker|ProcessWrap|SignalWrap|FSEventWrap|StatWatcher|UDPWrap|ZLIB|Zlib)$/;

const isAway = (): boolean =>
  [...asking.keys()].some((client) => !locked.has(client)) ||
  inFlight.threads > 0 ||
  inFlight.jobs > 0 ||
  // A call that its server works on may wait there for the clock; one in between arrives by itself.
  inFlight.sent !== inFlight.served ||
  process.getActiveResourcesInfo().some((name) => !STAYS.test(name));

/** Turns of the loop without any event after which nothing more happens by itself. */
const QUIET_TURNS = 4;
/** Time without any event after which statements may wait for a lock, such as one that the test holds. */
const STUCK_MS = 100;
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Number of statements whose notifications were received. */
let syncedEvents = -1;

let syncing = Promise.resolve();

/** The answer of a statement comes after the notifications that were sent before it. */
async function syncNotifications(): Promise<void> {
  // One that the product has just asked something ends the quiet by itself.
  const free = [...listeners].filter(([client]) => !asking.has(client));
  await Promise.all(free.map(([client, listen]) => query.call(client, listen).catch(() => undefined)));
}

/** Resolves when this process has nothing to do until its clock moves, or until the test does something. */
export async function untilIdle(): Promise<void> {
  for (;;) {
    await untilQuiet();
    if (syncedEvents === events) return;
    // One statement at a time on a connection, also if several clocks wait.
    syncing = syncing.then(syncNotifications);
    await syncing;
    syncedEvents = events;
    await untilQuiet();
    if (syncedEvents === events) return;
  }
}

async function untilQuiet(): Promise<void> {
  let stuckSince = performance.now();
  for (let quiet = 0, seen = events; quiet < QUIET_TURNS;) {
    await turn();
    if (events !== seen) {
      seen = events;
      quiet = 0;
      stuckSince = performance.now();
    }
    if (!isAway()) quiet += 1;
    else if (performance.now() - stuckSince > STUCK_MS) {
      await findLocked();
      stuckSince = performance.now();
    } else await Promise.race([new Promise<void>((resolve) => void (wake = resolve)), wait(2)]);
  }
}

/**
 * Finds the statements that wait for locks of the test, or of work that the clock holds up. A lock of a statement in flight
 * is released by itself, and one that was released may not have woken its waiter yet.
 */
async function findLocked(): Promise<void> {
  const waiting = [...asking.keys()].filter((client) => client.processID && !locked.has(client));
  if (waiting.length === 0) return;
  const pids = waiting.map(({ processID }) => processID);
  const client = new pg.Client({ connectionString: inject("databaseUrl") });
  await connect.call(client);
  const { rows } = (await query.call(
    client,
    `select pid, pg_blocking_pids(pid) as blockers from unnest(array[${pids.join()}]) as pid`,
  )) as { rows: { pid: number; blockers: number[] }[] };
  await end.call(client);
  const held = rows.filter(({ blockers }) => blockers.some((pid) => !pids.includes(pid)));
  for (const each of waiting)
    if (asking.has(each) && held.some(({ pid }) => pid === each.processID)) locked.add(each);
}
