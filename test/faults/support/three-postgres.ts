import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../../deploy/three-postgres.sh");
const LIMIT_MS = 240_000;
/** About a minute and a half of waiting for a standby. */
const MAX_ATTEMPTS = 60;

/** Debian's packages of the group; null if they are installed. */
export const MISSING =
  ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"].every(existsSync) &&
  existsSync("/usr/lib/postgresql")
    ? null
    : "three servers under Patroni need: apt-get install postgresql patroni python3-etcd etcd-server etcd-client haproxy";
if (MISSING !== null) process.stderr.write(`Skipped: ${MISSING}\n`);

/** Faults of the primary. If it is cut off from the other servers, the product still reaches it. */
export type Fault = "killed" | "frozen" | "switched over" | "cut off";

/** Only root may make the networks for cutting one off. */
export const CAN_CUT = process.getuid?.() === 0 && existsSync("/usr/sbin/ip");

export type ThreePostgres = {
  url: string;
  /** Port of the server that Patroni says is the primary. */
  findPrimaryPort(): Promise<number>;
  /** Host and port of a replica. */
  findReplica(): Promise<string>;
  /** Strikes the primary; the group makes another one. */
  strike(fault: Fault): Promise<void>;
  /** Brings back what was struck, as a replica, once another server is the primary. */
  heal(): Promise<void>;
  /** `mode` false: replicas follow asynchronously, as is not recommended. */
  setSynchronous(mode: boolean): Promise<void>;
};

/** Other ports in each process, so that several groups run at once. */
const basePort = 15_440 + (process.pid % 400) * 32;

/** Starts three PostgreSQL under Patroni behind HAProxy; they end with the test, and by themselves after two hours. */
export async function startThreePostgres(): Promise<ThreePostgres> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-three-"));
  // Its servers are not of this user where this user is root.
  await chmod(folder, 0o755);
  const env = { ...process.env, BASE_PORT: String(basePort), LIFE_S: "7200", APART: CAN_CUT ? "on" : "off" };
  const run = async (...args: string[]) => {
    const [command = "", ...more] = args;
    const { stdout } = await promisify(execFile)(SCRIPT, [command, folder, ...more], {
      env,
      timeout: LIMIT_MS,
    });
    return stdout;
  };
  onTestFinished(async () => {
    await run("stop");
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }, LIMIT_MS);
  const url = /DATABASE_URL=(\S+)/.exec(await run("start"))?.[1];
  if (!url) throw new Error("The three servers named no address.");
  let isSynchronous = true;
  let struck = "";
  /** As docs/operations.md says: a primary that was frozen may come back while the next one names its standby, which no one then may. */
  const renameStandby = async () => {
    process.stdout.write("Patroni names no standby: synchronous mode is switched off and on\n");
    await run("sync", "off");
    while (!(await run("status")).includes("Replica")) await wait(500);
    await wait(10_000);
    await run("sync", "on");
  };
  const commands = {
    killed: "kill-primary",
    frozen: "freeze-primary",
    "switched over": "switchover",
    "cut off": "cut-primary",
  };
  /** The servers by Patroni's list. */
  const listServers = async () =>
    (await run("status")).split("\n").flatMap((line) => {
      const [, name, address = "", role] = line.split("|").map((cell) => cell.trim());
      return name?.startsWith("node") ? [{ address, role }] : [];
    });
  return {
    url,
    findPrimaryPort: async () =>
      Number((await listServers()).find(({ role }) => role === "Leader")?.address.split(":")[1]),
    findReplica: async () => {
      const replica = (await listServers()).find(({ role }) => role !== "Leader");
      if (!replica) throw new Error("There is no replica.");
      return replica.address;
    },
    strike: async (fault) => {
      struck = await run("primary");
      await run(commands[fault]);
    },
    heal: async () => {
      while ((await run("primary").catch(() => struck)) === struck) await wait(500);
      await run("thaw");
      if (CAN_CUT) await run("join");
      await run("revive");
      // Until one has all that the primary has, the loss of the primary is one too many, and Patroni waits for it.
      for (let tries = 1; isSynchronous && !(await run("status")).includes("Sync Standby"); tries += 1) {
        await wait(500);
        if (tries % MAX_ATTEMPTS === 0) await renameStandby();
      }
    },
    setSynchronous: async (mode) => {
      isSynchronous = mode;
      await run("sync", mode ? "on" : "off");
    },
  };
}
