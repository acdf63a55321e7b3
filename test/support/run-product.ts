import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILED } from "./compiled.ts";
import { freePorts } from "./free-ports.ts";
import { installPrebuiltDatabase } from "./made-database.ts";

const ENTRY = join(import.meta.dirname, "../../src/main/start.ts");
/** As `npm start` sets them. */
const FLAGS = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../runtime/server-flags.json"), "utf8"),
) as string[];
const START_MS = 120_000;

/** The product as a user starts it: separate processes, embedded database, simulators. */
export type Product = {
  /** Its data folder. */
  folder: string;
  url: string;
  intuitUrl: string;
  stripeUrl: string;
  upsUrl: string;
  output(): string;
  isRunning(): boolean;
  /** Ends the process as Ctrl-C does. */
  stop(): Promise<{ code: number | null }>;
  /** Sends SIGTERM, as service managers do: work in progress may finish. */
  terminate(): Promise<{ code: number | null }>;
  /** Ends the process at once; its database lives on without it and is adopted by the next start. */
  kill(): Promise<void>;
};

/** Shortens the waits for writes in doubt to seconds, for tests whose vendor answers within them. */
export const SHORT_WRITE_WAITS = {
  WRITE_FIRST_LOOK_MS: "500",
  WRITE_VENDOR_LIMIT_MS: "3000",
  WRITE_INDEX_LAG_MS: "1000",
  WRITE_OUTAGE_MS: "2000",
};

export type ProductInstance = {
  port: number;
  intuitPort: number;
  stripePort: number;
  upsPort: number;
  mailPort: number;
  folder: string;
};

/** Reserves free ports and a temporary data folder. */
export async function createInstance(): Promise<ProductInstance> {
  const [port, intuitPort, stripePort, upsPort, mailPort] = await freePorts(5);
  if (!port || !intuitPort || !stripePort || !upsPort || !mailPort) throw new Error("There is no free port.");
  const folder = await mkdtemp(join(tmpdir(), "dockside-product-"));
  return { port, intuitPort, stripePort, upsPort, mailPort, folder };
}

export const removeInstance = (place: ProductInstance) =>
  rm(place.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });

/** The ports and the data folder, as the product reads them. */
export const productEnvironment = ({
  port,
  intuitPort,
  stripePort,
  upsPort,
  mailPort,
  folder,
}: ProductInstance) => ({
  PORT: String(port),
  SIM_INTUIT_PORT: String(intuitPort),
  SIM_STRIPE_PORT: String(stripePort),
  SIM_UPS_PORT: String(upsPort),
  SIM_MAIL_PORT: String(mailPort),
  DATA_DIR: folder,
  // Tests poll more often than a page, so that they wait less.
  CALLS_PER_MINUTE: "1000000",
  // On sale in tests, so that payment is tested before any service is launched.
  SERVICES_FOR_SALE: "tracking",
});

type SpawnedProduct = { child: ChildProcess; output(): string };
export type Identity = { uid?: number; gid?: number };

/** Starts the product as `npm start` does, in another folder, and doesn't wait for it. */
export function spawnProduct(env: Record<string, string>, identity: Identity = {}): SpawnedProduct {
  const child = spawn(process.execPath, [...FLAGS, ENTRY], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: tmpdir(),
    ...identity,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** Waits until a process has ended and its output is complete. */
export const untilClosed = (child: ChildProcess) =>
  new Promise<void>((resolve) => child.once("close", () => resolve()));

/** Starts the product, on a prebuilt database if the data folder is new, and waits until it says that it is running. */
export async function runProduct(place: ProductInstance, env: Record<string, string> = {}): Promise<Product> {
  if (!env.DATABASE_URL) await installPrebuiltDatabase(place.folder);
  return startProduct(place, env);
}

/** Starts the product on the data folder as it is; a new one gets its database first. */
export async function startProduct(
  place: ProductInstance,
  env: Record<string, string> = {},
): Promise<Product> {
  const { child, output } = spawnProduct({ ...productEnvironment(place), ...env });
  await untilRunning(child, output);
  return {
    folder: place.folder,
    url: `http://localhost:${place.port}`,
    intuitUrl: `http://localhost:${place.intuitPort}`,
    stripeUrl: `http://localhost:${place.stripePort}`,
    upsUrl: `http://localhost:${place.upsPort}`,
    output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => stop(child, "SIGINT"),
    terminate: () => stop(child, "SIGTERM"),
    kill: async () => {
      child.kill("SIGKILL");
      await ended(child);
    },
  };
}

async function stop(child: ChildProcess, signal: "SIGINT" | "SIGTERM"): Promise<{ code: number | null }> {
  child.kill(signal);
  await ended(child);
  return { code: child.exitCode };
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

function untilRunning(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The product did not start: ${output()}`)), START_MS);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      finish();
    };
    child.stdout?.on("data", () => {
      if (output().includes("is running")) settle(resolve);
    });
    child.once("exit", (code) =>
      settle(() => reject(new Error(`The product ended with ${code}: ${output()}`))),
    );
  });
}
