import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { isAlive, sendSignal } from "#platform/db/embedded/processes.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";

const log = createLog("silent");
const isRoot = process.getuid?.() === 0;
/** A data folder with a database, made once: a copy costs a fraction of making it. */
let made: string;
let folder: string;
let dataDir: string;
let started: EmbeddedPostgres[];

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), "dockside-made-"));
  await (await startEmbeddedPostgres({ dataDir: made, log })).stop();
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dockside-pg-"));
  chmodSync(folder, 0o755);
  dataDir = join(folder, "data");
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts the database of an earlier start into the data folder. */
const useMade = () => void execFileSync("cp", ["-a", made, dataDir]);

const start = async (options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) => {
  const server = await startEmbeddedPostgres({ dataDir, log, ...options });
  started.push(server);
  return server;
};

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Another process that starts a server of the same data folder, writes the address, and stays. */
function spawnStart() {
  const code = `
    import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
    import { createLog } from "#platform/log.ts";
    process.on("SIGTERM", () => process.exit());
    const server = await startEmbeddedPostgres({ dataDir: process.env.FOLDER, log: createLog("silent") });
    setInterval(() => {}, 1000);
    process.stdout.write(JSON.stringify(server));`;
  return spawn(process.execPath, ["--input-type=module-typescript", "--eval", code], {
    env: { ...process.env, FOLDER: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function startInChild() {
  const child = spawnStart();
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { child, server: JSON.parse(chunk.toString()) as EmbeddedPostgres };
}

async function endChild(child: Awaited<ReturnType<typeof startInChild>>["child"], signal: NodeJS.Signals) {
  child.kill(signal);
  await once(child, "exit");
}

async function untilGone(pid: number) {
  await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}

test("rows written before a stop exist after the next start, and every commit is flushed", async () => {
  const first = await start();
  await query(first.connectionString, "create table kept as select 'a row' as text");
  expect(
    await query(
      first.connectionString,
      "select current_setting('fsync') || current_setting('synchronous_commit')",
    ),
  ).toEqual(["onon"]);
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.connectionString, "select text from kept")).toEqual(["a row"]);
});

test("the server listens on a socket that only its user can open, and on no network address", async () => {
  useMade();
  const server = await start();
  expect(await query(server.connectionString, "select current_setting('listen_addresses')")).toEqual([""]);
  const socketFolder = new URL(server.connectionString).searchParams.get("host") ?? "";
  expect(spawnSync("stat", ["-c", "%a", socketFolder]).stdout.toString().trim()).toBe("700");
});

test("a server left behind by a killed process is adopted with its data, and stopped by the adopter", async () => {
  useMade();
  const { child, server } = await startInChild();
  await query(server.connectionString, "create table kept as select 7 as n");
  await endChild(child, "SIGKILL");
  expect(isAlive(server.pid)).toBe(true);
  const adopted = await start();
  expect(adopted).toMatchObject({ adopted: true, pid: server.pid });
  expect(await query(adopted.connectionString, "select n from kept")).toEqual([7]);
  await adopted.stop();
  expect(isAlive(server.pid)).toBe(false);
});

test("a second process shares the server of a running one and leaves it running", async () => {
  useMade();
  const { child, server } = await startInChild();
  const shared = await start();
  expect(shared).toMatchObject({ adopted: true, pid: server.pid });
  await shared.stop();
  expect(isAlive(server.pid)).toBe(true);
  await endChild(child, "SIGTERM");
  await untilGone(server.pid);
});

test("two processes that start in an empty folder at once share one server", async () => {
  const both = await Promise.all([startInChild(), startInChild()]);
  expect(both[0].server.pid).toBe(both[1].server.pid);
  expect(both.filter(({ server }) => server.adopted)).toHaveLength(1);
  for (const { child } of both) await endChild(child, "SIGTERM");
  await untilGone(both[0].server.pid);
});

test("a process that exits normally takes its server with it", async () => {
  useMade();
  const { child, server } = await startInChild();
  await endChild(child, "SIGTERM");
  await untilGone(server.pid);
});

test("a killed server is reported once, and restarted with what was committed", async () => {
  useMade();
  const reasons: string[] = [];
  const first = await start({ onExit: (reason) => reasons.push(reason) });
  await query(first.connectionString, "create table kept as select 3 as n");
  process.kill(first.pid, "SIGKILL");
  await expect.poll(() => reasons).toHaveLength(1);
  expect(reasons[0]).toMatch(/^its last words are in .*postgres\.log$/);
  const second = await start();
  expect(await query(second.connectionString, "select n from kept")).toEqual([3]);
});

test("a lock file whose number now belongs to another program does not stop the start", async () => {
  useMade();
  const first = await start();
  await first.stop();
  const lock = join(dataDir, "postgres/database/postmaster.pid");
  writeFileSync(lock, `${process.pid}\n${dataDir}\n0\n5432\n${folder}\n\n0\nready\n`);
  expect(await start()).toMatchObject({ adopted: false });
});

test.each(["", "\n", "garbage\n\n", "0\n"])(
  "a damaged lock file (%j) is cleared like a stale one, and so are damaged files of our own",
  async (text) => {
    useMade();
    const first = await start();
    await query(first.connectionString, "create table kept as select 6 as n");
    await first.stop();
    writeFileSync(join(dataDir, "postgres/database/postmaster.pid"), text);
    for (const name of ["owner", "making.pid", "starting.lock"])
      writeFileSync(join(dataDir, "postgres", name), text);
    const second = await start();
    expect(await query(second.connectionString, "select n from kept")).toEqual([6]);
  },
);

test("a server running behind a damaged lock file is shut down cleanly, and one takes its place", async () => {
  useMade();
  const { child, server } = await startInChild();
  await query(server.connectionString, "create table kept as select 8 as n");
  await endChild(child, "SIGKILL");
  writeFileSync(join(dataDir, "postgres/database/postmaster.pid"), "");
  const next = await start();
  expect(next.adopted).toBe(false);
  expect(isAlive(server.pid)).toBe(false);
  expect(await query(next.connectionString, "select n from kept")).toEqual([8]);
});

test("a second process is notified when the first one stops the server they share", async () => {
  useMade();
  const { child, server } = await startInChild();
  const reasons: string[] = [];
  await start({ onExit: (reason) => reasons.push(reason) });
  await endChild(child, "SIGTERM");
  await expect
    .poll(() => reasons)
    .toEqual(["the product that started it, in the same data folder, has stopped"]);
  await untilGone(server.pid);
});

test("a second process does not take over a server that is stopping when the first one ends before it", async () => {
  useMade();
  const { child, server } = await startInChild();
  const reasons: string[] = [];
  const second = await start({ onExit: (reason) => reasons.push(reason) });
  const client = new pg.Client({ connectionString: second.connectionString });
  await client.connect();
  // As the first one asks it to, but it waits for the session.
  sendSignal(server.pid, "SIGTERM");
  await expect
    .poll(() => readFileSync(join(dataDir, "postgres/database/postmaster.pid"), "utf8"))
    .toContain("stopping");
  await endChild(child, "SIGKILL");
  // The second one looks twice a second.
  await sleep(1_200);
  await client.end();
  await expect
    .poll(() => reasons)
    .toEqual(["the product that started it, in the same data folder, has stopped"]);
});

test("a second process takes the server over when the first one was killed", async () => {
  useMade();
  const { child, server } = await startInChild();
  const reasons: string[] = [];
  const second = await start({ onExit: (reason) => reasons.push(reason) });
  await endChild(child, "SIGKILL");
  await expect
    .poll(() => readFileSync(join(dataDir, "postgres/owner"), "utf8").split(" ")[0])
    .toBe(String(process.pid));
  expect(await query(second.connectionString, "select 1")).toEqual([1]);
  await second.stop();
  expect([isAlive(server.pid), reasons]).toEqual([false, []]);
});

test("the server takes its share of the machine's memory", async () => {
  useMade();
  const server = await start();
  const [bytes] = await query(
    server.connectionString,
    "select pg_size_bytes(current_setting('shared_buffers'))",
  );
  const share = Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 32;
  const expected = Math.min(Math.max(share, 32 * 2 ** 20), 512 * 2 ** 20);
  expect(Math.abs(Number(bytes) - expected)).toBeLessThan(2 ** 20);
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a first start that ends by %s while the database is being created leaves the next one a clean folder",
  async (signal) => {
    const child = spawnStart();
    const making = join(dataDir, "postgres/making.pid");
    await expect
      .poll(() => existsSync(making) && existsSync(join(dataDir, "postgres/database.new")), {
        interval: 5,
      })
      .toBe(true);
    const maker = Number(readFileSync(making, "utf8"));
    // Held, so that it neither ends by itself nor finds its listener gone.
    process.kill(-maker, "SIGSTOP");
    onTestFinished(() => sendSignal(-maker, "SIGKILL"));
    await endChild(child, signal);
    expect(existsSync(join(dataDir, "postgres/database"))).toBe(false);
    // Nothing outlives a process that can still clean up; what SIGKILL leaves behind is ended by the next start.
    if (signal === "SIGTERM") await untilGone(maker);
    else expect(isAlive(maker)).toBe(true);
    const server = await start();
    expect(isAlive(maker)).toBe(false);
    expect(await query(server.connectionString, "select 1")).toEqual([1]);
    expect(readdirSync(join(dataDir, "postgres")).filter((name) => /new|making/.test(name))).toEqual([]);
  },
);

test("a half-created database of a killed first start is created again", async () => {
  mkdirSync(join(dataDir, "postgres/database.new/base"), { recursive: true });
  const server = await start();
  expect(await query(server.connectionString, "select 1")).toEqual([1]);
  expect(existsSync(join(dataDir, "postgres/database.new"))).toBe(false);
});

test("a data folder with a long path has its socket in the temp folder", async () => {
  dataDir = join(folder, "long-".repeat(25), "data");
  const server = await start();
  const socketFolder = new URL(server.connectionString).searchParams.get("host") ?? "";
  expect(socketFolder).toMatch(/dockside-[0-9a-f]{12}$/);
  expect(await query(server.connectionString, "select 1")).toEqual([1]);
  await server.stop();
  expect(existsSync(socketFolder)).toBe(false);
});

test.skipIf(!isRoot)(
  "root may run the server as an unprivileged user, and later starts keep that user",
  async () => {
    const first = await start({ runAs: { kind: "owner", uid: 65_534, gid: 65_534 } });
    expect(readFileSync(`/proc/${first.pid}/status`, "utf8")).toMatch(/^Uid:\t65534/m);
    await first.stop();
    const second = await start();
    expect(readFileSync(`/proc/${second.pid}/status`, "utf8")).toMatch(/^Uid:\t65534/m);
    expect(await query(second.connectionString, "select 1")).toEqual([1]);
  },
);

test.skipIf(!isRoot)("root runs the server in its own folder, which no other user may enter", async () => {
  chmodSync(folder, 0o700);
  const server = await start();
  expect(await query(server.connectionString, "select 1")).toEqual([1]);
});

test.skipIf(!isRoot)(
  "a folder that the unprivileged user cannot reach is replaced by one below /var/lib",
  async () => {
    chmodSync(folder, 0o700);
    const server = await start({ runAs: { kind: "owner", uid: 65_534, gid: 65_534 } });
    const socketFolder = new URL(server.connectionString).searchParams.get("host") ?? "";
    expect(socketFolder).toMatch(/^\/var\/lib\/dockside\//);
    await query(server.connectionString, "create table kept as select 5 as n");
    await server.stop();
    const again = await start();
    expect(await query(again.connectionString, "select n from kept")).toEqual([5]);
    await again.stop();
    rmSync(join(socketFolder, ".."), { recursive: true, force: true });
  },
);

test("a data folder that is a file is refused in one sentence", async () => {
  writeFileSync(dataDir, "");
  await expect(start()).rejects.toThrow(
    `The data folder ${dataDir} is not a folder: set DATA_DIR to a folder.`,
  );
});

test.skipIf(!isRoot)("a data folder without permissions is refused in one sentence", async () => {
  mkdirSync(dataDir, { mode: 0o555 });
  chownSync(dataDir, 0, 0);
  const { status, stderr } = startAsNobody();
  expect(stderr).toBe(
    `The data folder ${dataDir} cannot be written: give this user the rights, or set DATA_DIR to another folder.`,
  );
  expect(status).toBe(1);
});

test.skipIf(!isRoot)("a database of another user is refused in one sentence", async () => {
  mkdirSync(join(dataDir, "postgres"), { recursive: true });
  expect(startAsNobody().stderr).toContain("belongs to another user (id 0, you are 65534)");
});

test("an unusable database is refused with PostgreSQL's own reason", async () => {
  useMade();
  writeFileSync(join(dataDir, "postgres/database/PG_VERSION"), "12\n");
  await expect(start()).rejects.toThrow(/made by another major version of PostgreSQL/);
});

/** Starts in a child process that has given up root, and returns the message of the refusal. */
function startAsNobody() {
  const code = `
    import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
    import { createLog } from "#platform/log.ts";
    process.setgroups([]); process.setgid(65534); process.setuid(65534);
    await startEmbeddedPostgres({ dataDir: process.env.FOLDER, log: createLog("silent") }).then(
      () => process.exit(0),
      (error) => { process.stderr.write(error.message); process.exit(1); },
    );`;
  const result = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", code], {
    env: { ...process.env, FOLDER: dataDir },
    encoding: "utf8",
  });
  return { status: result.status, stderr: result.stderr };
}

test("a copy of a running product's folder is refused with a sentence, and starts once that product is stopped", async () => {
  useMade();
  const original = await start();
  const copy = join(folder, "copy");
  execFileSync("cp", ["-a", dataDir, copy]);
  for (const _ of [1, 2])
    await expect(startEmbeddedPostgres({ dataDir: copy, log })).rejects.toThrow(
      `The database folder ${copy}/postgres/database is a copy of ${dataDir}/postgres/database, which a running product uses (process ${original.pid}): stop that product and copy the folder again, or set DATA_DIR to another folder.`,
    );
  expect(await query(original.connectionString, "select 1")).toEqual([1]);
  await original.stop();
  await start({ dataDir: copy });
});
