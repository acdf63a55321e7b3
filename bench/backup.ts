import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { TEST_KEYS } from "../test/support/keys.ts";
import { runOperate } from "../test/support/operate.ts";
import { figure, info, report, type Figure } from "./support/figures.ts";

/** Measures a backup and a restore of 1 GB: 800 MB of ledger in the database, 200 MB of files. */
const INVOICES = 400_000;
const FILES = 200;
const FILE_BYTES = 1_000_000;

/** Drafts that compress as badly as real ones; twenty hashes are 640 bytes. */
const FILL = `with co as (insert into company (realm_id, name, created_at) values ('1', 'Bench', now()) returning realm_id),
  up as (insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by, uploaded_at, summary)
    select realm_id, gen_random_uuid(), 'bench.xlsx', '', 'uploads/0.xlsx', 1, 1, 'bench', now(), '{}' from co returning realm_id, id)
  insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, customer_name, amount_cents, draft, fingerprint, verdict)
  select realm_id, id, 'k' || n, n, array[n], 'Customer ' || n, n,
    jsonb_build_object('TxnDate', '2026-11-01', 'Line', (select jsonb_agg(md5(n || '.' || i)) from generate_series(1, 45) i)),
    md5(n::text), 'ready' from up, generate_series(1, $1::int) n`;

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-"));
try {
  report("Backup and restore", await measure());
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function measure(): Promise<Figure[]> {
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  const from = await startEmbeddedPostgres({ dataDir: one, log: createLog("warn") });
  const env = { DATABASE_URL: from.connectionString, DATA_DIR: one, SEALING_KEYS: TEST_KEYS };
  await runOperate(env, "migrate");
  const client = new pg.Client({ connectionString: from.connectionString });
  await client.connect();
  await client.query("insert into installation (kind) values ('real')");
  await client.query(FILL, [INVOICES]);
  const { rows } = await client.query<{ mb: number }>(
    "select (pg_database_size(current_database()) / 1000000)::int as mb",
  );
  await client.end();
  await mkdir(join(one, "objects/uploads"), { recursive: true });
  for (let file = 0; file < FILES; file += 1)
    await writeFile(join(one, `objects/uploads/${file}.xlsx`), randomBytes(FILE_BYTES));
  const backups = join(folder, "backups");
  const made = await timed(env, "backup", backups);
  await from.stop();
  const [name = ""] = await readdir(backups);
  const to = await startEmbeddedPostgres({ dataDir: other, log: createLog("warn") });
  const target = { ...env, DATABASE_URL: to.connectionString, DATA_DIR: other };
  const restored = await timed(target, "restore", join(backups, name));
  await to.stop();
  return [
    info("database, with indexes", `${rows[0]?.mb} MB`),
    info("backup", made.output.split(": ")[1] ?? made.output),
    figure("backup", made.seconds, { most: 120, unit: "s" }),
    figure("restore", restored.seconds, { most: 120, unit: "s" }),
  ];
}

async function timed(env: Record<string, string>, ...args: string[]) {
  const started = performance.now();
  const { code, output } = await runOperate(env, ...args);
  if (code !== 0) throw new Error(output);
  return { output, seconds: (performance.now() - started) / 1_000 };
}
