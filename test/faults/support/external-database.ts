import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isAlive } from "#platform/db/embedded/processes.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { installPrebuiltDatabase } from "../../support/made-database.ts";
import { signalServer } from "../../support/signal-server.ts";

/** A server that a product is given by DATABASE_URL: it comes and goes without the product's doing. */
export type ExternalDatabase = {
  url: string;
  /** Takes the server down: in good order, or by SIGKILL of all of it. */
  stop(how: "orderly" | "killed"): Promise<void>;
  start(): Promise<void>;
  /** Freezes every process of the server, as a machine that hangs does. */
  freeze(): void;
  thaw(): void;
};

/** Starts such a server; it ends with the test. */
export async function startExternalDatabase(): Promise<ExternalDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-external-"));
  await installPrebuiltDatabase(folder);
  const start = () => startEmbeddedPostgres({ dataDir: folder, log: createLog("silent") });
  let server: EmbeddedPostgres | null = await start();
  const { connectionString } = server;
  const stop: ExternalDatabase["stop"] = async (how) => {
    const stopping = server;
    if (!stopping) return;
    if (how === "killed") signalServer(stopping.pid, "SIGKILL");
    while (how === "killed" && isAlive(stopping.pid)) await new Promise(setImmediate);
    await stopping.stop();
    server = null;
  };
  const signal = (name: NodeJS.Signals) => {
    if (server) signalServer(server.pid, name);
  };
  onTestFinished(async () => {
    signal("SIGCONT");
    await stop("orderly");
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    url: connectionString,
    stop,
    start: async () => void (server ??= await start()),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
}
