import { sql } from "kysely";
import { pollRun } from "#features/packages/runs.ts";
import { findFollowers, listDuePackages, listUnsubscribed } from "#features/packages/store.ts";
import { watchRun } from "#features/tracking/runs.ts";
import { findDue, findUnwatched } from "#features/tracking/store.ts";
import { connectDatabase, WORK_LIMITS, type Db } from "#platform/db/connect.ts";
import { createLog } from "#platform/log.ts";
import { takeRun } from "#platform/runs/store-dispatch.ts";
import { explainSearch } from "../test/support/explain.ts";
import { figure, info, percentile, report, round, type Figure } from "./support/figures.ts";
import { openTrackingProduct, type TrackingProduct } from "./support/tracking-product.ts";

/** Follows the packages of one company among 100,000: how it finds what is due, and whether its memory grows. */
const REALM = "9130357849060110";
const WATCHED = 100_000;
const OTHER_COMPANIES = 400;
/** Packages of the company that is worked for, all due at once. */
const OWN = 20_000;
const TIMES = 200;
const PASSES = 60;
const WARM_PASSES = 20;

const product = await openTrackingProduct({ realms: [REALM], pushes: true });
try {
  await product.workOff();
  await fill(product);
  report(`${WATCHED.toLocaleString("en")} watched packages`, [
    ...(await readQueries(product)),
    ...(await readMemory(product)),
  ]);
} finally {
  await product.close();
}

async function fill({ db, clock }: TrackingProduct): Promise<void> {
  const now = clock.now();
  const others = WATCHED - OWN;
  await sql`insert into company (realm_id, name, created_at)
    select 'other' || n, 'Company ' || n, ${now} from generate_series(1, ${OTHER_COMPANIES}) n`.execute(db);
  await sql`insert into tracking_company (realm_id, reads_left, reads_at)
    select 'other' || n, 6, ${now} from generate_series(1, ${OTHER_COMPANIES}) n`.execute(db);
  await sql`insert into run (realm_id, id, kind, lane, subject, state, due_at, requested_by, requested_at)
    select 'other' || n, gen_random_uuid(), ${watchRun.kind}, 'tracking:other' || n, gen_random_uuid(), 'waiting',
      ${now}::timestamptz + interval '1 day' + n * interval '1 minute', 'system', ${now} from generate_series(1, ${OTHER_COMPANIES}) n`.execute(
    db,
  );
  await sql`insert into package (realm_id, number, of_invoice, state, added_at, next_poll_at, activities, pushed_until)
    select 'other' || 1 + n % ${OTHER_COMPANIES}, '1Z12345E03' || lpad(n::text, 8, '0'), true, 'in_transit', ${now},
      ${now}::timestamptz + n * interval '1 second', '[]', ${now}::timestamptz + interval '10 days'
    from generate_series(1, ${others}) n`.execute(db);
  await sql`insert into package (realm_id, number, of_invoice, added_at, next_poll_at, activities, pushed_until)
    select ${REALM}, '1Z12345E90' || lpad(n::text, 8, '0'), true, ${now}, ${now}, '[]', ${now}::timestamptz + interval '10 days'
    from generate_series(1, ${OWN}) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Queries that each pass, each event or each minute makes. */
async function readQueries({ db, clock, connectionString }: TrackingProduct): Promise<Figure[]> {
  const { pool, close } = connectDatabase(connectionString, createLog("silent"), WORK_LIMITS);
  const now = clock.now();
  const holder = crypto.randomUUID();
  const soon = new Date(now.getTime() + 24 * 3_600_000);
  const queries: [name: string, search: (on: Db) => Promise<unknown>][] = [
    ["the company whose pass is due", (on) => takeRun(on, { holder, kinds: [watchRun.kind], now })],
    ["packages that are due", (on) => listDuePackages(on, { now, limit: 30 })],
    ["when one is due next", (on) => findDue(on, REALM)],
    ["packages without events", (on) => listUnsubscribed(on, REALM, { endsBefore: soon, limit: 100 })],
    ["companies that follow a number", (on) => findFollowers(on, "1Z12345E9000000001")],
    ["companies without a run", (on) => findUnwatched(on, { kind: watchRun.kind, now })],
  ];
  const figures: Figure[] = [];
  for (const [name, search] of queries) {
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const startedAt = performance.now();
      await search(db);
      times.push(performance.now() - startedAt);
    }
    const { indexes, scannedTables } = await explainSearch(pool, search);
    figures.push(figure(`${name}, median`, percentile(times, 0.5), { most: 20, unit: "ms" }));
    figures.push(info("  by", [...indexes, ...scannedTables.map((table) => `all of ${table}`)].join(", ")));
  }
  await close();
  return figures;
}

/** Live memory after batches of polls. */
async function readMemory(product: TrackingProduct): Promise<Figure[]> {
  const { db, clock } = product;
  const liveMb = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const pass = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      await product.moveTo(await product.nextPassAt());
      await product.workOff(1);
    }
  };
  await sql`update run set state = 'queued', due_at = ${clock.now()} where kind = ${pollRun.kind}`.execute(
    db,
  );
  await pass(WARM_PASSES);
  const before = liveMb();
  await pass(PASSES);
  const after = liveMb();
  const { rows } = await sql<{ polled: number }>`select count(*)::int as polled from package
    where realm_id = ${REALM} and polled_at is not null`.execute(db);
  return [
    info(`packages polled in ${WARM_PASSES + PASSES} passes`, String(rows[0]?.polled)),
    info("live memory after the first of them", `${round(before)} MB`),
    figure("  more after the last", Math.max(0, after - before), { most: 5, unit: "MB" }),
  ];
}
