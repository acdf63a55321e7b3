import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { LIST_NAMES, type ListName } from "#features/admin/lists/contract.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { createBrowser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../test/support/run-product.ts";
import { figure, percentile, report, spread, type Figure } from "./support/figures.ts";
import { createClient, type Client } from "./support/requests.ts";

/** Measures Admin's lists, search and `/metrics` over tables of 1,000,000 rows. */
const ROWS = 1_000_000;
const COMPANIES = 400;
const CALLS = 200;
const PAGES = 5;

const METRICS_TOKEN = "token-of-the-benchmark";

const NAME = "'filler' || (1 + n % 400)";
const AGE = "now() - n * interval '7 seconds'";
const MANY = `from generate_series(1, ${ROWS}) n`;
/** Fills the long tables; one row in 5,000 needs an operator. */
const FILL = [
  `insert into company (realm_id, name, created_at)
    select 'filler' || n, 'Filler ' || n, now() from generate_series(1, ${COMPANIES}) n`,
  `insert into run (realm_id, id, kind, lane, subject, state, failures, requested_by, requested_at, finished_at, request_id)
    select ${NAME}, gen_random_uuid(), 'invoices.work', 'invoices:' || n % 400, gen_random_uuid(),
      case when n % 5000 = 0 then 'stopped' else 'done' end, 0, 'owner@acme.example', ${AGE}, now(), md5(n::text) ${MANY}`,
  "alter table audit_entry disable trigger user",
  `insert into audit_entry (realm_id, at, id, action, ids, request_id)
    select ${NAME}, ${AGE}, gen_random_uuid(), 'identity.sign_out', '{}', md5(n::text) ${MANY}`,
  "alter table audit_entry enable trigger user",
  `insert into app_user (id, intuit_sub, email, first_name, last_name, groups, blocked_at, created_at, updated_at)
    select gen_random_uuid(), 'filler' || n, 'user' || n || '@filler.example', 'Una', 'User' || n, '{}',
      case when n % 5000 = 0 then now() end, ${AGE}, now() ${MANY}`,
  `insert into notice_mail (id, realm_id, kind, recipient, params, state, created_at, changed_at)
    select gen_random_uuid(), ${NAME}, 'connection_lost', 'user' || n || '@filler.example', '{}',
      case when n % 5000 = 0 then 'refused' else 'sent' end, ${AGE}, now() ${MANY}`,
  `insert into tracking_company (realm_id, reads_left, reads_at)
    select 'filler' || n, 6, now() from generate_series(1, ${COMPANIES}) n`,
  `insert into tracked_package (realm_id, number, state, added_at)
    select ${NAME}, '1Z12345E90' || lpad(n::text, 8, '0'), case when n % 5000 = 0 then 'exception' else 'delivered' end,
      ${AGE} ${MANY}`,
  "vacuum analyze",
];
const LONG: readonly ListName[] = ["runs", "audit", "users", "mail", "tracking"];

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log: createLog("warn") });
const place = await findPlace();
try {
  const product = await runProduct(place, { DATABASE_URL: server.connectionString, METRICS_TOKEN });
  try {
    await fill();
    report(
      `Admin over ${LONG.length} tables of ${ROWS.toLocaleString("en")} rows (p50 / p95 / p99)`,
      await measure(product),
    );
  } finally {
    await product.stop();
  }
} finally {
  await server.stop();
  await removePlace(place);
  await rm(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  for (const statement of FILL) await client.query(statement);
  await client.end();
}

async function measure({ url, intuitUrl }: Product): Promise<Figure[]> {
  const browser = createBrowser(url, driveIntuit(intuitUrl));
  await browser.signIn("platform@dockside.example");
  const client = createClient(url, browser.cookies);
  const figures: Figure[] = [];
  for (const list of LIST_NAMES.filter((name) => LONG.includes(name)))
    figures.push(
      await timeCalls(client, `${list}, first pages`, () => pages(list, "")),
      await timeCalls(client, `${list}, those that need an operator`, () => pages(list, "&show=attention")),
      await timeCalls(client, `${list} of a company by name`, () => pages(list, "&search=filler 77")),
    );
  const numbers = Array.from({ length: CALLS }, (_, index) => 1 + ((index * 7_919) % ROWS));
  const search = (text: string) => `/api/v1/admin/search?text=${encodeURIComponent(text)}`;
  const emails = numbers.map((n) => search(`user${n}@filler.example`));
  const packages = numbers.map((n) => search(`1Z12345E90${String(n).padStart(8, "0")}`));
  figures.push(await timeCalls(client, "search for a user", () => once(emails)));
  figures.push(await timeCalls(client, "search for a package", () => once(packages)));
  const metrics = await timeCalls(client, "/metrics", () => () => "/metrics", 10);
  client.close();
  return [...figures, metrics];
}

/** One path after the other; each next one may depend on the answer. */
type Walk = (answer: Buffer | null) => string | null;

function pages(list: ListName, more: string): Walk {
  let made = 0;
  return (answer) => {
    const { next } = answer ? (JSON.parse(answer.toString()) as { next: string | null }) : { next: null };
    made = answer && next !== null && made + 1 < PAGES ? made + 1 : 0;
    const before = made > 0 ? `&before=${encodeURIComponent(next ?? "")}` : "";
    return `/api/v1/admin/lists/${list}?limit=50${more.replaceAll(" ", "%20")}${before}`;
  };
}

function once(paths: readonly string[]): Walk {
  const left = [...paths];
  return () => left.shift() ?? null;
}

async function timeCalls(client: Client, name: string, begin: () => Walk, most = 50): Promise<Figure> {
  const next = begin();
  const times: number[] = [];
  let answer: Buffer | null = null;
  while (times.length < CALLS) {
    const path = next(answer);
    if (path === null) break;
    const { status, ms, body } = await client.get(path, {
      "accept-encoding": "identity",
      authorization: `Bearer ${METRICS_TOKEN}`,
    });
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.toString()}`);
    times.push(ms);
    answer = body;
  }
  return { ...figure(name, percentile(times, 0.95), { most, unit: "ms" }), measured: spread(times) };
}
