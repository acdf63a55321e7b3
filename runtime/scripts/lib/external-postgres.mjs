import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, say } from "./place.mjs";
import { run } from "./run.mjs";

const OLDEST = 15;
const NOBODY = 65_534;
const READY_WITHIN_MS = 30_000;

/**
 * Starts a disposable PostgreSQL from the machine's own packages, the oldest supported version, reached by
 * TCP and password.
 * @returns {Promise<{ url: string, version: number, stop(): Promise<void> }>}
 */
export async function startExternalPostgres() {
  const { bin, version } = (await findPostgres()) ?? (await installPostgres());
  const folder = mkdtempSync(join(tmpdir(), "dockside-external-"));
  const ids = process.getuid() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (ids.uid) chownSync(folder, NOBODY, NOBODY);
  const password = randomBytes(12).toString("hex");
  const data = join(folder, "data");
  initialize({ bin, folder, data, password, ids });
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    // Tests need no durability: no waiting for the disk, and databases are copied without logging.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: 0,
    max_connections: 200,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(bin, "postgres"), ["-D", data, ...options], {
    ...ids,
    cwd: "/",
    stdio: "ignore",
  });
  const ended = once(server, "exit");
  const stop = async () => {
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", () => server.kill("SIGINT"));
  await untilReady(data, server, stop);
  return { url: `postgres://dockside:${password}@127.0.0.1:${port}/postgres`, version, stop };
}

function initialize({ bin, folder, data, password, ids }) {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (ids.uid) chownSync(passwordFile, ids.uid, ids.gid);
  const args = [
    "-D",
    data,
    "--username=dockside",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
  ];
  execFileSync(join(bin, "initdb"), [...args, "--locale=C.UTF-8", "--no-sync"], {
    ...ids,
    cwd: "/",
    stdio: "pipe",
  });
}

async function findPostgres() {
  const debian = "/usr/lib/postgresql";
  const versioned = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, "bin"))
    : [];
  const found = [...(process.env.PATH ?? "").split(delimiter), ...versioned]
    .filter((bin) => existsSync(join(bin, "initdb")) && existsSync(join(bin, "postgres")))
    .map((bin) => ({ bin, version: readVersion(bin) }))
    .filter(({ version }) => version >= OLDEST);
  return found.sort((a, b) => a.version - b.version)[0] ?? null;
}

async function installPostgres() {
  if (process.platform === "linux" && process.getuid() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Installing PostgreSQL …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env, quiet: true });
    await run("apt-get", ["install", "-qy", "--no-install-recommends", "postgresql"], { env, quiet: true });
  }
  const found = await findPostgres();
  if (!found)
    throw new Refusal(
      `There is no PostgreSQL ${OLDEST} or newer on this machine: install one, for instance Debian's postgresql.`,
    );
  return found;
}

function readVersion(bin) {
  try {
    return Number(
      /(\d+)/.exec(execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }))?.[1],
    );
  } catch {
    return 0;
  }
}

async function untilReady(data, server, stop) {
  for (
    const end = Date.now() + READY_WITHIN_MS;
    Date.now() < end && server.exitCode === null;
    await sleep(20)
  ) {
    const file = join(data, "postmaster.pid");
    if (existsSync(file) && readFileSync(file, "utf8").split("\n")[7]?.trim() === "ready") return;
  }
  await stop();
  throw new Refusal("The throw-away PostgreSQL did not start.");
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
