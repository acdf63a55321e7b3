import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { finishLink, startLink } from "#features/carrier/contract.ts";
import { changeSettings } from "#features/companies/contract.ts";
import type { Clock } from "#platform/clock.ts";
import { readConfig, simulatedIntuit, type Config } from "#platform/config/read-config.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import { connectDatabase, MIGRATION_LIMITS, WORK_LIMITS } from "#platform/db/connect.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { migrateDatabase } from "#platform/db/migrate.ts";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createSlots } from "#platform/runs/slots.ts";
import { renewHeld, takeRun } from "#platform/runs/store-dispatch.ts";
import { createApplication } from "../../src/main/application.ts";
import { createWebServer } from "../../src/main/web-server.ts";
import { createBrowser } from "../../test/support/browser.ts";
import { freePort } from "../../test/support/free-ports.ts";
import { driveIntuit, NO_LIMITS } from "../../test/support/intuit.ts";
import { driveUps } from "../../test/support/ups.ts";

/** The demo's user who owns the companies, and who owns an account at the simulated UPS. */
const OWNER = { sub: "5d1f0c1e-0001-4a5e-9c11-000000000001", email: "owner@acme.example" };
const SHIPPER = { user: "acme-shipping", account: "1A2B3C" };
const PAGES = join(import.meta.dirname, "../../test/support/pages");
const DAY_MS = 24 * 3_600_000;

export const SEALING_KEYS = parseSealingKeys(`b1:${Buffer.alloc(32, 9).toString("base64")}`);

/** A clock that stands still, except that a sleep is skipped: what is waited for has come. */
function createStillClock(): Clock & { moveTo(ms: number): void } {
  let nowMs = Date.now();
  return {
    now: () => new Date(nowMs),
    steadyMs: () => nowMs,
    after: () => () => undefined,
    moveTo: (ms) => {
      nowMs = Math.max(nowMs, ms);
    },
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

async function startVendors(nowMs: number) {
  const child = fork(join(import.meta.dirname, "../fixtures/workers/run-vendors.ts"), [String(nowMs)]);
  const [{ intuitUrl, upsUrl }] = (await once(child, "message")) as [{ intuitUrl: string; upsUrl: string }];
  return {
    intuit: driveIntuit(intuitUrl),
    ups: driveUps(upsUrl),
    moveTo: async (ms: number) => {
      child.send(ms);
      await once(child, "message");
    },
    close: () => child.disconnect(),
  };
}

/**
 * The product in this process and in simulated time, with vendors in another, and companies that have the Tracking Service.
 * @param options.pushes whether UPS and Intuit report events
 */
export async function openTrackingProduct({
  realms,
  pushes,
}: {
  realms: readonly string[];
  pushes: boolean;
}) {
  const log = createLog("silent");
  const clock = createStillClock();
  const folder = await mkdtemp(join(tmpdir(), "dockside-bench-tracking-"));
  const server = await startEmbeddedPostgres({ dataDir: folder, log });
  const migrating = connectDatabase(server.connectionString, log, MIGRATION_LIMITS);
  await migrateDatabase(migrating.db);
  // The wall's time is not measured.
  await sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`.execute(
    migrating.db,
  );
  await migrating.close();
  const { db, close } = connectDatabase(server.connectionString, log, WORK_LIMITS);
  const vendors = await startVendors(clock.now().getTime());
  const { intuit, ups } = vendors;
  const config = configure({ port: await freePort(), folder, intuitUrl: intuit.url, upsUrl: ups.url });
  const ctx = { db, clock, ids: systemIds, log };
  const application = await createApplication({ config, ctx, sealingKeys: SEALING_KEYS });
  if (!pushes) application.tracking.alertUrl = null;
  const changes = await createChangeFeed(server.connectionString, ctx);
  const limits = { ...HTTP_LIMITS, callsPerMinute: 1_000_000, signInsPerMinute: 100_000 };
  const web = await createWebServer(application, { pagesFolder: PAGES, changes, limits });
  await web.listen({ port: Number(new URL(config.publicUrl).port), host: "localhost" });

  const companies = realms.map((realmId) => ({ realmId, admins: [OWNER.sub] }));
  await intuit.control("seed", { companies });
  const browser = createBrowser(config.publicUrl, intuit);
  await browser.signIn(OWNER.email);
  for (const realmId of realms) {
    const preferences = { SalesFormsPrefs: { AllowShipping: true } };
    await intuit.control(`companies/${realmId}`, { limits: NO_LIMITS, preferences }, "PATCH");
    await browser.connect(OWNER.email, realmId);
    await sql`insert into company_service (realm_id, service, state, source, reason, changed_at)
      values (${realmId}, 'tracking', 'active', 'granted', 'To be measured', ${clock.now()})`.execute(db);
    const query = { realm_id: realmId, ups_account: SHIPPER.account };
    const { redirect } = (await browser.call(startLink, { query })).json() as { redirect: string };
    const { searchParams } = await ups.signIn(redirect, SHIPPER.user);
    const json = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
    await browser.call(finishLink, { json });
    await browser.call(changeSettings, { query: { realm_id: realmId }, json: { attach_pods: "true" } });
  }

  const runs = [
    ...application.trackingRuns,
    ...application.systemRuns.filter(({ kind }) => kind === "tracking.start" || kind === "tracking.inbox"),
  ];
  const slots = createSlots({ ...ctx, runs });
  const holder = systemIds.uuid();
  await renewHeld({ db, clock }, holder, 365 * DAY_MS);
  return {
    application,
    connectionString: server.connectionString,
    postgres: server.pid,
    db,
    clock,
    intuit,
    ups,
    url: config.publicUrl,
    verifierToken: config.intuit.verifierToken ?? "",
    /** Moves all clocks to a time, unless it is past. */
    moveTo: async (ms: number) => {
      clock.moveTo(ms);
      await vendors.moveTo(clock.now().getTime());
    },
    /** Makes the passes that are due, so many at most. @returns how many */
    workOff: async (most = Infinity) => {
      for (let count = 0; ; count += 1) {
        const run = count < most && (await takeRun(db, { holder, kinds: slots.kinds, now: clock.now() }));
        if (!run) return count;
        await new Promise<void>((resolve) => slots.start(run, resolve));
      }
    },
    /** @returns when the next pass is due */
    nextPassAt: async () => {
      const { rows } = await sql<{ at: Date }>`select min(due_at) as at from run
        where kind = 'tracking.watch' and state in ('queued', 'waiting')`.execute(db);
      return rows[0]?.at.getTime() ?? Infinity;
    },
    close: async () => {
      await web.close();
      vendors.close();
      await close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TrackingProduct = Awaited<ReturnType<typeof openTrackingProduct>>;

type Places = { port: number; folder: string; intuitUrl: string; upsUrl: string };

function configure({ port, folder, intuitUrl, upsUrl }: Places): Config {
  const read = readConfig({
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    SERVICES_FOR_SALE: "tracking",
  });
  return {
    ...read,
    intuit: { ...read.intuit, ...simulatedIntuit(intuitUrl) },
    mail: null,
    ups: read.ups && { ...read.ups, baseUrl: upsUrl },
  };
}
