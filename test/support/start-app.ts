import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { createApplication, type Application } from "../../src/main/application.ts";
import { startLabels, startWorker } from "../../src/main/run-worker.ts";
import { createWebServer } from "../../src/main/web-server.ts";
import { readConfig, simulatedIntuit, type Config } from "#platform/config/read-config.ts";
import { simulatedStripe } from "#platform/config/stripe.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { HTTP_LIMITS, type HttpLimits } from "#platform/http/limits.ts";
import { systemIds } from "#platform/ids.ts";
import type { OrdersCtx } from "#features/orders/index.ts";
import { createLog, type Log } from "#platform/log.ts";
import { page } from "../../simulators/intuit/page-layout.ts";
import { startMailbox, type Mailbox } from "../../simulators/mail/start.ts";
import { createBrowser, type Browser } from "./browser.ts";
import type { Resolve } from "#platform/outbound/public-address.ts";
import { createDatabaseOn, createTestDatabase } from "./database.ts";
import { freePort } from "./free-ports.ts";
import { busy } from "./in-flight.ts";
import { startIntuit, type Intuit } from "./intuit.ts";
import { TEST_KEYS } from "./keys.ts";
import { startStripe, type StripeSimulator } from "./stripe.ts";
import { steppedClock, type SteppedClock } from "./stepped-clock.ts";
import { startUps, type UpsSimulator } from "./ups.ts";

const PAGES = join(import.meta.dirname, "pages");

/** Times of a worker: longer than in production, where a dead one is replaced sooner. */
const [LEASE_MS, POLL_MS] = [60_000, 5_000];

/** For tests that act as more users, or faster ones, than one address has. */
export const NO_CALLER_LIMITS = {
  signInsPerMinute: 100_000,
  uploadsPerMinute: 100_000,
  callsPerMinute: 1_000_000,
};

export type TestApp = {
  url: string;
  config: Config;
  /** Stands unless the test moves it. */
  clock: SteppedClock;
  /** Lets all that is due in the next seconds happen. */
  settle: SteppedClock["settle"];
  intuit: Intuit;
  /** Mailbox of an app that was started with mail. */
  mailbox: () => Mailbox;
  stripe: StripeSimulator;
  ups: UpsSimulator;
  db: Db;
  application: Application;
  /** A new browser without any cookie. */
  browser(): Browser;
  /** A browser of a user who has just connected a company, by default the demo's owner. */
  owner(realmId: string, email?: string): Promise<Browser>;
  /** Lets changes in progress end, as a stop does. */
  finishChanges(hurry: AbortSignal): Promise<void>;
  /** Starts a worker in this process. @returns a function that stops it */
  work(): Promise<() => Promise<void>>;
  /** The same for a worker that only makes labels. */
  makeLabels(): Promise<() => Promise<void>>;
};

type Options = {
  clock?: SteppedClock;
  /** `labels`: one that makes labels, and does nothing else. */
  worker?: boolean | "labels";
  env?: Record<string, string>;
  limits?: Partial<HttpLimits>;
  /** Mail goes to a simulated server of the test's own; else none is sent. */
  mail?: boolean;
  /** Finds the addresses of hosts that users typed; the system's by default. */
  resolve?: Resolve;
  /** Retailers whose orders come in; the product's by default. */
  partners?: OrdersCtx["partners"];
  /** `live`: as with real vendors, though they are simulated here; a demo by default. */
  mode?: "live";
  /** `false`: neither Stripe nor UPS is set up. */
  sells?: false;
  /** A server of the test's own, for what another one doesn't do; by default all tests share one. */
  serverUrl?: string;
  /** Where the product logs, for tests that read it; nowhere by default. */
  log?: Log;
};

/**
 * The complete product in this process on a database, a port and a simulated Intuit of the test's own; all of it ends
 * with the test.
 */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const { app, stop } = await build(options);
  onTestFinished(stop);
  return app;
}

/** One product for those tests of a file that leave it as it was. */
export function appOfFile(options: Options = {}): () => TestApp {
  let built: Awaited<ReturnType<typeof build>> | undefined;
  beforeAll(async () => {
    built = await build(options);
  });
  afterAll(() => built?.stop());
  return () => {
    if (!built) throw new Error("The product of this file has not started.");
    return built.app;
  };
}

async function build(options: Options): Promise<{ app: TestApp; stop(): Promise<void> }> {
  const clock = options.clock ?? steppedClock();
  const mailbox = options.mail
    ? await startMailbox({
        port: 0,
        timer: clock,
        onConnection: (socket) => void socket.once("close", busy()),
        page,
      })
    : null;
  const [database, intuit, stripe, ups, port, folder] = await Promise.all([
    options.serverUrl ? createDatabaseOn(options.serverUrl) : createTestDatabase(),
    startIntuit(clock, mailbox),
    startStripe(clock),
    startUps(clock),
    freePort(),
    mkdtemp(join(tmpdir(), "dockside-test-")),
  ]);
  const read = readConfig({
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    SERVICES_FOR_SALE: "tracking",
    ...options.env,
  });
  const config: Config = {
    ...read,
    // Fewer statements while minutes pass, none of which a test is about.
    runs: {
      ...read.runs,
      leaseMs: options.env?.["RUN_LEASE_MS"] ? read.runs.leaseMs : LEASE_MS,
      pollMs: POLL_MS,
    },
    simulators: options.mode === "live" ? null : read.simulators,
    intuit: { ...read.intuit, ...simulatedIntuit(intuit.url) },
    mail: mailbox && {
      url: `smtp://localhost:${mailbox.port}`,
      from: "Dockside <no-reply@dockside.example>",
    },
    stripe:
      options.sells === false ? null : read.stripe && { ...read.stripe, ...simulatedStripe(stripe.url) },
    ups: options.sells === false ? null : read.ups && { ...read.ups, baseUrl: ups.url },
  };
  const ctx = {
    db: database.db,
    clock,
    ids: systemIds,
    log: options.log ?? createLog("silent"),
  };
  const application = await createApplication({
    config,
    ctx,
    sealingKeys: parseSealingKeys(TEST_KEYS),
    ...(options.resolve ? { resolve: options.resolve } : {}),
    ...(options.partners ? { partners: options.partners } : {}),
  });
  const web = await createWebServer(application, {
    pagesFolder: PAGES,
    changes: await createChangeFeed(database.url, ctx),
    // A test asks more often than a page does, to notice sooner what it waits for.
    limits: { ...HTTP_LIMITS, callsPerMinute: NO_CALLER_LIMITS.callsPerMinute, ...options.limits },
  });
  await web.listen({ port, host: "localhost" });
  const stops: (() => Promise<void>)[] = [];
  // Two workers of one process are two to each other.
  const nextHolder = () => (stops.length === 0 ? application.holder : systemIds.uuid());
  const work = async () => {
    const options = { application, connectionString: database.url, holder: nextHolder() };
    const stopWorker = await startWorker(options);
    stops.push(stopWorker);
    return stopWorker;
  };
  const makeLabels = async () => {
    const options = { application, connectionString: database.url, holder: nextHolder() };
    const stopLabels = await startLabels(options);
    stops.push(stopLabels);
    return stopLabels;
  };
  if (options.worker === "labels") await makeLabels();
  else if (options.worker !== false) await work();
  const stop = async () => {
    // The product would wait for calls that a failed test still holds.
    await intuit.control("faults", undefined, "DELETE");
    clock.goOn();
    await clock.during(Promise.allSettled([web.close(), ...stops.map((stopWorker) => stopWorker())]));
    await Promise.all([mailbox?.close(), application.longReads.close()]);
    await database.drop();
    await Promise.all([intuit.close(), stripe.close(), ups.close()]);
    await rm(folder, { recursive: true, force: true });
  };
  const url = config.publicUrl;
  const browser = () => createBrowser(url, intuit, clock);
  const owner = async (realmId: string, email = "owner@acme.example") => {
    const signedIn = browser();
    await signedIn.signIn(email);
    await signedIn.connect(email, realmId);
    return signedIn;
  };
  const app = {
    url,
    config,
    clock,
    settle: clock.settle,
    intuit,
    stripe,
    ups,
    db: database.db,
    application,
    finishChanges: web.finishChanges,
    work,
    makeLabels,
    browser,
    owner,
    mailbox: () => {
      if (!mailbox) throw new Error("This app was started without mail.");
      return mailbox;
    },
  };
  return { app, stop };
}
