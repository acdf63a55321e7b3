import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { addUser } from "#features/companies/contract.ts";
import { deliver, fiveEvents, subscribe } from "../support/billing.ts";
import type { Browser } from "../support/browser.ts";
import { databaseUrl } from "../support/database.ts";
import { ACME } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { SEALING_KEYS } from "./support/second-process.ts";
import { startWorkerProcess, type WorkerProcess } from "./support/worker-process.ts";

/**
 * System runs while their process is killed, freezes, or loses its database: each of the six kinds is done
 * within 30 s, by another process where the first is gone.
 */
const run = battery({ short: 1, long: 10 });
const DONE_WITHIN_MS = 30_000;
const KINDS = [
  "billing.read-events",
  "billing.sync-all",
  "billing.sync-events",
  "companies.keep-connections",
  "notices.send-mail",
  "system.sweep",
];

test(
  "kill -9 during each of the six kinds of system runs: another process does all six within 30 s, and no mail is sent twice",
  { timeout: run.timeout },
  async () => {
    const world = await openWorld();
    const tookMs: number[] = [];
    for (let round = 0; round < run.times; round += 1) {
      const [first, second] = await world.startTwo();
      const { release, mail } = await world.hangAll(second);
      await wait(world.random() * 1_000);
      await first.kill();
      tookMs.push(await world.untilDone(release, { elsewhere: true }));
      expect(await world.readState(mail)).toBe("in_doubt");
      expect(world.mailServer.received).toBe(round + 1);
      await second.kill();
    }
    printCounts(run, "system-runs, kill", { kills: run.times, "slowest, ms": Math.max(...tookMs) });
  },
);

test(
  "a process that freezes during each of the six kinds: another does them, and the first changes nothing when it resumes",
  { timeout: run.timeout },
  async () => {
    const world = await openWorld();
    const [first, second] = await world.startTwo();
    const tookMs: number[] = [];
    for (let round = 0; round < run.times; round += 1) {
      const { release, mail } = await world.hangAll(second, { atIntuit: false });
      first.signal("SIGSTOP");
      tookMs.push(await world.untilDone(release, { elsewhere: true }));
      const before = await world.rows();
      first.signal("SIGCONT");
      await wait(2_000);
      expect(await world.rows()).toEqual(before);
      expect(await world.readState(mail)).toBe("in_doubt");
      expect([first.isRunning(), second.isRunning()]).toEqual([true, true]);
    }
    printCounts(run, "system-runs, standstill", { times: run.times, "slowest, ms": Math.max(...tookMs) });
  },
);

test(
  "a database that goes away during each of the six kinds: all six are done within 30 s after it is back",
  { timeout: run.timeout },
  async () => {
    const world = await openWorld();
    const [first, second] = await world.startTwo();
    const tookMs: number[] = [];
    for (let round = 0; round < run.times; round += 1) {
      const { release } = await world.hangAll(second, { hangMs: 8_000 });
      second.signal("SIGCONT");
      await world.cutDatabase(500 + world.random() * 1_500);
      tookMs.push(await world.untilDone(release, { elsewhere: false }));
      expect([first.isRunning(), second.isRunning()]).toEqual([true, true]);
    }
    expect(world.mailServer.received).toBe(run.times);
    printCounts(run, "system-runs, database", { times: run.times, "slowest, ms": Math.max(...tookMs) });
  },
);

type Row = {
  kind: string;
  state: string;
  cause: { code: string } | null;
  fence: number;
  holder: string | null;
};

/** Two worker processes alongside a web process, and vendors that can be made to hang. */
async function openWorld() {
  const mailServer = await startHangingMailServer();
  // The workers know the machine's time.
  const app = await startApp({ worker: false, mail: true, clock: steppedClock(Date.now()) });
  const owner = await app.owner(ACME);
  const subscription = await subscribe(app, owner);
  const events = await fiveEvents(app, subscription);
  // Only what the test delivers arrives.
  await app.stripe.control("settings", { deliveries: { off: true } }, "PATCH");
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const name = rows[0]?.name ?? "";
  const given = {
    databaseUrl: databaseUrl(inject("databaseUrl"), name),
    dataDir: app.config.dataDir,
    intuitUrl: app.intuit.url,
    stripeUrl: app.stripe.url,
    mailUrl: `smtp://localhost:${mailServer.port}`,
    sealingKeys: SEALING_KEYS,
  };
  const workers: WorkerProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await mailServer.close();
  });
  let rounds = 0;
  let before = new Map<string, number>();

  const rowsNow = async () =>
    (
      await sql<Row>`
        select distinct on (kind) kind, state, cause, fence, holder from run where kind = any (${KINDS}::text[])
          -- The inviting user gets a separate e-mail that the invitation may not have arrived.
          and subject not in (select id from notice_mail where kind = 'invitation_unsure')
        order by kind, requested_at desc`.execute(app.db)
    ).rows;

  return {
    mailServer,
    random: seededRandom(run.seed),
    rows: rowsNow,
    readState: async (recipient: string) =>
      (
        await sql<{ state: string }>`select state from notice_mail where recipient = ${recipient}`.execute(
          app.db,
        )
      ).rows[0]?.state,
    startTwo: async (): Promise<[WorkerProcess, WorkerProcess]> => {
      const first = await startWorkerProcess("work.ts", given);
      const second = await startWorkerProcess("work.ts", given);
      workers.push(first, second);
      return [first, second];
    },

    /**
     * Has the first worker begin all six kinds while the second is frozen, each waiting for an answer that does not come.
     * @param atIntuit false where the worker must not be frozen while it refreshes a token: until PostgreSQL ends its
     * transaction, no other may
     */
    hangAll: async (
      second: WorkerProcess,
      { hangMs = 60_000, atIntuit = true }: { hangMs?: number; atIntuit?: boolean } = {},
    ) => {
      rounds += 1;
      second.signal("SIGSTOP");
      const mail = `user-${rounds}@acme.example`;
      await app.stripe.control("faults", { fault: "latency", path: "/v1/", ms: hangMs });
      await app.intuit.control("faults", [
        { fault: "latency", ms: hangMs, match: { operation: "oauth.refresh_token" } },
      ]);
      mailServer.hang(true);
      await addMailAndEvent(app, owner, { mail, event: events[rounds % events.length] });
      await ageConnections(app);
      const lock = new pg.Client({ connectionString: given.databaseUrl });
      lock.on("error", () => undefined);
      await lock.connect();
      await lock.query("begin; lock table session in exclusive mode");
      if (!atIntuit) await lock.query("lock table intuit_connection in access exclusive mode");
      await makeDue(app);
      const working = async () => {
        const rows = await rowsNow();
        return rows.filter(({ state }) => state === "working").map(({ kind }) => kind);
      };
      await expect.poll(working, { timeout: 20_000, interval: 20 }).toEqual(KINDS);
      // Sent, but not answered.
      await expect.poll(() => mailServer.received, { timeout: 20_000 }).toBe(rounds);
      before = new Map((await rowsNow()).map(({ kind, fence }) => [kind, fence]));
      const release = async () => {
        mailServer.hang(false);
        await app.stripe.control("faults", undefined, "DELETE");
        await app.intuit.control("faults", undefined, "DELETE");
        // Held answers are given.
        app.clock.advance(hangMs);
        await lock.end().catch(() => undefined);
        second.signal("SIGCONT");
      };
      return { release, mail };
    },

    /** @returns milliseconds until all six kinds are done */
    untilDone: async (
      release: () => Promise<void>,
      { elsewhere }: { elsewhere: boolean },
    ): Promise<number> => {
      const startedAt = performance.now();
      await release();
      const isDone = ({ kind, state, cause, fence }: Row) => {
        const isScheduled = state === "waiting" && cause?.code === "scheduled";
        const isElsewhere = !elsewhere || fence > (before.get(kind) ?? 0);
        return isElsewhere && (state === "done" || isScheduled);
      };
      const open = async () => (await rowsNow()).filter((row) => !isDone(row));
      await expect.poll(open, { timeout: 120_000, interval: 50 }).toEqual([]);
      const tookMs = performance.now() - startedAt;
      expect(tookMs).toBeLessThan(DONE_WITHIN_MS);
      const { rows: events } = await sql`select from stripe_event where handled_at is null`.execute(app.db);
      expect(events).toEqual([]);
      const { rows: idle } =
        await sql`select from intuit_connection where refreshed_at < now() - interval '30 days'`.execute(
          app.db,
        );
      expect(idle).toEqual([]);
      return Math.round(tookMs);
    },

    /** Ends every connection to the database, and lets in no new one for a while. */
    cutDatabase: async (ms: number) => {
      const client = new pg.Client({ connectionString: inject("databaseUrl") });
      await client.connect();
      await client.query(`alter database ${name} allow_connections false`);
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      await wait(ms);
      await client.query(`alter database ${name} allow_connections true`);
      await client.end();
    },
  };
}

async function ageConnections({ db }: TestApp): Promise<void> {
  await sql`update intuit_connection set refreshed_at = now() - interval '40 days', access_expires_at = now()`.execute(
    db,
  );
}

async function makeDue({ db }: TestApp): Promise<void> {
  await sql`update run set due_at = now() where realm_id = '' and state = 'waiting'`.execute(db);
  await sql`select pg_notify('dockside_runs', '')`.execute(db);
}

async function addMailAndEvent(
  app: TestApp,
  owner: Browser,
  { mail, event }: { mail: string; event: object | undefined },
): Promise<void> {
  const added = await owner.call(addUser, { query: { realm_id: ACME, email: mail } });
  expect(added.status).toBe(200);
  await sql`update stripe_event set handled_at = now()`.execute(app.db);
  await sql`delete from stripe_event where id = ${(event as { id: string }).id}`.execute(app.db);
  expect((await deliver(app, event ?? {})).status).toBe(200);
}

/** A mail server that accepts a mail and, on request, never confirms it. */
async function startHangingMailServer() {
  let hangs = false;
  /** Invitations, but not the e-mails to their senders. */
  const state = { received: 0 };
  const sockets = new Set<Socket>();
  const pending = new Set<() => void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    let isContent = false;
    let content = "";
    let recipient = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 localhost");
    socket.on("data", (chunk) => {
      const text = chunk.toString();
      if (isContent) {
        content += text;
        if (!content.endsWith("\r\n.\r\n")) return;
        isContent = false;
        content = "";
        if (recipient.startsWith("user-")) state.received += 1;
        if (!hangs) say("250 taken");
        else pending.add(() => say("250 taken"));
        return;
      }
      recipient = /^RCPT TO:<([^>]+)>/im.exec(text)?.[1] ?? recipient;
      if (/^DATA/im.test(text)) {
        isContent = true;
        return say("354 go on");
      }
      if (/^QUIT/im.test(text)) return socket.end("221 bye\r\n");
      say("250 ok");
    });
  });
  await once(server.listen(0, "localhost"), "listening");
  const address = server.address();
  return Object.assign(state, {
    port: typeof address === "object" && address ? address.port : 0,
    hang: (isOn: boolean) => {
      hangs = isOn;
      if (isOn) return;
      for (const answer of pending) answer();
      pending.clear();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
