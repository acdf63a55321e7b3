import { until } from "../../../test/support/tracking.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { retryRun, showHealth } from "#features/health/contract.ts";
import { DATABASE_ANSWERS_MS } from "#features/health/read-health.ts";
import { holdLock } from "../../../test/support/hold-lock.ts";
import { addMeteredCalls } from "#platform/outbound/store.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { uploadRows } from "../../../test/support/uploads.ts";
import { invoiceRows } from "../../../test/support/workbooks.ts";
import { openBucket } from "../../../test/support/s3.ts";
import { appOfFile, startApp, type TestApp } from "../../../test/support/start-app.ts";

const TOKEN = "a-token-of-sixteen-characters";
const app = appOfFile({ worker: false, env: { METRICS_TOKEN: TOKEN } });

const ask = (path: string, headers: Record<string, string> = {}) =>
  app().browser().request(path, { headers });

/** The value of a line of /metrics, by its name and labels as printed. */
async function readMetric(of: TestApp, line: string): Promise<number | undefined> {
  const { text } = await of.browser().request("/metrics");
  const found = text.split("\n").find((row) => row.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.split(" ").at(-1));
}

test("OP-01 a process with a database is alive and ready, and reports its facts to operators", async () => {
  await app().owner(ACME);
  const [alive, ready] = [await ask("/healthz"), await ask("/readyz")];
  expect([alive.status, alive.json()]).toEqual([200, { status: "ok" }]);
  expect([ready.status, ready.json()]).toEqual([
    200,
    {
      ready: true,
      failing: [],
      database: {
        primary: null,
        timeline: expect.stringMatching(/^[\dA-F]{8}$/),
        standbys: [],
        fault: null,
        replica: null,
      },
      queue: {
        queued: expect.any(Number),
        working: 0,
        waiting: expect.any(Number),
        oldest_queued_seconds: expect.any(Number),
      },
      intuit_reads: { this_month: expect.any(Number), limit: app().config.intuit.monthlyReads },
      objects: null,
      ups: null,
      disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
      vendors: expect.arrayContaining([{ vendor: "intuit", outcome: "2xx", at: expect.any(String) }]),
    },
  ]);
});

test("OP-01 if the database does not answer in time, the process is not ready, names it, and stays alive", async () => {
  const own = await startApp({ worker: false });
  const release = await holdLock(own, (tx) => sql`lock table run in access exclusive mode`.execute(tx));
  const startedAt = own.clock.steadyMs();
  const replies = await Promise.all([1, 2, 3].map(() => own.browser().request("/readyz")));
  expect(own.clock.steadyMs() - startedAt).toBeLessThan(DATABASE_ANSWERS_MS + 2_000);
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(replies[0]?.json()).toMatchObject({ ready: false, failing: ["database"], queue: null });
  expect((await own.browser().request("/healthz")).status).toBe(200);
  expect(await readMetric(own, "process_resident_memory_bytes")).toBeGreaterThan(0);
  await release();
  // The count that waited for the lock ends first.
  await until(
    own,
    () => own.browser().request("/readyz"),
    ({ status }) => status === 200,
  );
});

test("HA-06 a database with fewer standbys than it should have is named in a sentence; the process stays ready", async () => {
  const own = await startApp({ worker: false, env: { DATABASE_STANDBYS: "2" } });
  const { status, json } = await own.browser().request("/readyz");
  expect([status, json()]).toMatchObject([
    200,
    {
      ready: true,
      failing: ["standbys"],
      database: {
        timeline: expect.stringMatching(/^[0-9A-F]{8}$/),
        standbys: [],
        fault:
          "0 of 2 synchronous standbys are connected: new data is stored on one machine only. Start the missing server, or set DATABASE_STANDBYS to how many there are.",
      },
    },
  ]);
});

test("OP-20 a bucket that can't be used is named in a sentence; the process stays ready, because only uploads fail", async () => {
  const { s3, env } = await openBucket();
  s3.deny("s3:PutObject");
  const own = await startApp({ worker: false, env });
  const read = async () => {
    const { status, json } = await own.browser().request("/readyz");
    const { ready, failing, objects } = json() as {
      ready: boolean;
      failing: string[];
      objects: string | null;
    };
    return { status, ready, failing, objects };
  };
  expect(await read()).toEqual({
    status: 200,
    ready: true,
    failing: ["objects"],
    objects: expect.stringMatching(
      /^The bucket documents at localhost:\d+ cannot be used: the key key-of-tests lacks the right s3:PutObject; give it to the key\.$/,
    ),
  });
  s3.allow("s3:PutObject");
  expect(await read()).toEqual({ status: 200, ready: true, failing: [], objects: null });
  // One that answered is asked again only after a while.
  s3.calls.length = 0;
  await read();
  expect(s3.calls).toEqual([]);
});

test("OP-02 requests, vendor calls, runs, memory and the event loop are counted by conventional names", async () => {
  const own = await startApp();
  const owner = await own.owner(ACME);
  const route = 'http_requests_total{method="GET",route="/api/v1/company",status="200"}';
  const before = (await readMetric(own, route)) ?? 0;
  expect((await owner.call(listCompanies)).status).toBe(200);
  expect(await readMetric(own, route)).toBe(before + 1);
  expect((await own.browser().request("/no/such/page")).status).toBe(404);
  expect(await readMetric(own, 'http_requests_total{method="GET",route="unknown",status="404"}')).toBe(1);
  expect(await readMetric(own, 'dockside_vendor_calls_total{vendor="intuit",outcome="2xx"}')).toBeGreaterThan(
    1,
  );
  expect(await readMetric(own, 'dockside_runs_open{kind="system.sweep",state="waiting"}')).toBe(1);
  await addMeteredCalls(own.db, {
    vendor: "intuit",
    day: new Date().toISOString().slice(0, 10),
    calls: 1_234,
  });
  expect(await readMetric(own, "dockside_intuit_metered_reads")).toBeGreaterThanOrEqual(1_234);
  expect(await readMetric(own, "dockside_intuit_metered_reads_limit")).toBe(own.config.intuit.monthlyReads);
  expect(await readMetric(own, "nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  expect((await own.browser().request("/metrics")).text).not.toContain(ACME);
  await uploadRows(owner, ACME, invoiceRows(1, { prefix: "T" }));
  await own.settle();
  expect((await own.browser().request("/metrics")).text).toMatch(
    /^dockside_run_endings_total\{kind="[a-z.-]+",state="done"\} [1-9]/m,
  );
});

test("OP-02 metrics, and the facts of /readyz, are given only to this machine or with the token", async () => {
  const reads = async (headers: Record<string, string>) => {
    const [metrics, ready] = [await ask("/metrics", headers), await ask("/readyz", headers)];
    return [metrics.status, "queue" in (ready.json() as object)];
  };
  expect(await reads({})).toEqual([200, true]);
  expect(await reads({ authorization: `Bearer ${TOKEN}` })).toEqual([200, true]);
  expect(await reads({ authorization: "Bearer another" })).toEqual([401, false]);
  // A proxy on this machine brings callers of other machines.
  expect(await reads({ "x-forwarded-for": "203.0.113.9" })).toEqual([401, false]);
  expect(await reads({ "x-forwarded-for": "203.0.113.9", authorization: `Bearer ${TOKEN}` })).toEqual([
    200,
    true,
  ]);
  for (const name of [
    "x-forwarded-host",
    "x-forwarded",
    "forwarded-for",
    "x-client-ip",
    "cf-connecting-ip",
    "true-client-ip",
  ])
    expect([name, ...(await reads({ [name]: "203.0.113.9" }))]).toEqual([name, 401, false]);
  expect((await ask("/metrics", { via: "1.1 proxy" })).json()).toMatchObject({
    code: "metrics_token_required",
    detail: "Metrics are for callers with METRICS_TOKEN, or for this machine if it has no proxy.",
  });
});

test("OP-02 behind a proxy that adds no header, metrics are given only with the token", async () => {
  const behind = await startApp({ worker: false, env: { METRICS_TOKEN: TOKEN, TRUST_PROXY: "1" } });
  const status = async (headers: Record<string, string>) =>
    (await behind.browser().request("/metrics", { headers })).status;
  expect([await status({}), await status({ authorization: `Bearer ${TOKEN}` })]).toEqual([401, 200]);
});

test("OP-14 an operator sees health and open runs, and retries one that waits, with a reason in the trail", async () => {
  const own = await startApp({ worker: false });
  const admin = own.browser();
  await admin.signIn("platform@dockside.example");
  const run = { realm_id: ACME, id: "00000000-0000-4000-8000-00000000a0d2" };
  await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, failures, requested_by, requested_at)
    values (${run.realm_id}, ${run.id}::uuid, 'made.kind', 'made', gen_random_uuid(), 'waiting',
      '{"code":"failed_once"}', 3, 'system', now())`.execute(own.db);
  expect((await admin.call(showHealth)).json()).toMatchObject({
    queue: { queued: 0, working: 0, waiting: 1, oldest_queued_seconds: 0 },
  });
  const list = async () =>
    ((await admin.call(readList, { params: { list: "runs" } })).json() as { rows: ListRow<"runs">[] }).rows;
  expect(await list()).toEqual([
    {
      key: run.id,
      realm_id: ACME,
      company: "",
      about: "",
      kind: "made.kind",
      subject: expect.any(String),
      state: "waiting",
      cause: "failed_once",
      failures: 3,
      requested_at: expect.any(String),
      requested_by: "system",
      due_at: null,
      finished_at: null,
      request_id: null,
    },
  ]);
  const retry = (reason: string) => admin.call(retryRun, { json: { ...run, reason } });
  expect((await retry(" ")).status).toBe(400);
  expect((await retry("Fixed")).status).toBe(200);
  expect(await list()).toMatchObject([{ state: "queued", cause: null }]);
  const again = await retry("Fixed");
  expect([again.status, again.json()]).toMatchObject([409, { code: "run_not_waiting" }]);
  const { rows } = await sql`select after, ids from audit_entry where action = 'admin.retry_run'`.execute(
    own.db,
  );
  expect(rows).toEqual([
    { after: { reason: "Fixed" }, ids: { run: run.id, kind: "made.kind", company: ACME } },
  ]);
});
