import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { DATABASE_USER } from "#platform/db/embedded/initialize.ts";
import { driveIntuit, type Intuit } from "../../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  SHORT_WRITE_WAITS,
  runProduct,
  type Product,
  type ProductInstance,
} from "../../support/run-product.ts";
import { seededRandom, printCounts, type Battery } from "./battery.ts";
import { findDatabase, killDatabase, untilGone } from "./embedded-database.ts";

export type Victim = "product" | "database" | "both";

/** `longestMs`: the most that passes between the begin of work and the next kill, unless a start took four times as long. */
export type Kills = { kills: number; seed: number; victims: readonly Victim[]; longestMs: number };

export type Struck = {
  /** Kills that struck while the work was open, by what was killed. */
  struck: Record<Victim, number>;
  /**
   * Longest time from starting the process until it said that it runs, and from then until a worker took up the work,
   * milliseconds.
   */
  slowest: { startMs: number; resumeMs: number };
};

/** Work in the ledger: which worker has it, and whether any of it is left. */
export type WorkState = { fence: number; isOpen: boolean };

export type WorkToKill<Outcome> = {
  /** Asks the product for more of it. */
  begin(): Promise<void>;
  /** How the vendor misbehaves besides being slow. */
  faults?(seed: number): object[];
  /** Reads the state of the newest of it. */
  readState(): Promise<WorkState>;
  /** Waits for its end and looks at the books. */
  conclude(): Promise<Outcome>;
};

/**
 * Has a running product work, ends its processes with SIGKILL at random moments and starts it again each time. The same
 * seed gives the same moments.
 */
export async function killDuring<Outcome>(
  run: Kills,
  open: (at: { product: Product; place: ProductInstance; intuit: Intuit }) => Promise<WorkToKill<Outcome>>,
): Promise<Outcome & Struck> {
  const place = await createInstance();
  let product = await runProduct(place, SHORT_WRITE_WAITS);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    const work = await open({ product, place, intuit });
    const random = seededRandom(run.seed);
    const struck = { product: 0, database: 0, both: 0 };
    const slowest = { startMs: 0, resumeMs: 0 };
    let startMs = 0;
    const misbehave = async () => {
      const seed = Math.floor(random() * 1_000_000);
      await intuit.control("faults", [...slowBatches(seed), ...(work.faults?.(seed) ?? [])]);
    };
    await work.begin();
    while (struck.product + struck.database + struck.both < run.kills) {
      await misbehave();
      // On a busy machine a start takes long, and so does reading the file, in a quarter of that time. An upload whose file no
      // process lives to read is given up after 20 starts, as it should be. Longer waits would find the work done.
      await wait(50 + random() * Math.max(run.longestMs, startMs / 4));
      const victim = run.victims[Math.floor(random() * run.victims.length)] ?? "product";
      const before = await work.readState();
      if (!before.isOpen) {
        await intuit.control("faults", undefined, "DELETE");
        await work.begin();
        continue;
      }
      struck[victim] += 1;
      await strike(victim, { product, place });
      const startedAt = performance.now();
      product = await runProduct(place, SHORT_WRITE_WAITS);
      const runningAt = performance.now();
      startMs = Math.round(runningAt - startedAt);
      slowest.startMs = Math.max(slowest.startMs, startMs);
      slowest.resumeMs = Math.max(slowest.resumeMs, await untilTaken(work, before, runningAt));
    }
    // The last start brought a vendor without faults: what the kills left in doubt is settled at one that has them.
    await misbehave();
    return { ...(await work.conclude()), struck, slowest };
  } finally {
    await product.stop();
    await removeInstance(place);
  }
}

/** Products that are killed in parallel: each mostly waits for the vendor's budget. */
const AT_ONCE = 5;
const KILLS_EACH = 20;

/** The long form: many kills, spread over products of their own. @returns the outcome of each, printed */
export async function killInPlaces<Outcome extends Struck>(
  run: Battery,
  name: string,
  killOne: (kills: Kills, index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const places = Array.from({ length: Math.ceil(run.times / KILLS_EACH) }, (_, index) => index);
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let index = places.shift(); index !== undefined; index = places.shift()) {
      const kills: Kills = {
        kills: Math.min(KILLS_EACH, run.times - index * KILLS_EACH),
        seed: run.seed + index * 1_000,
        victims: ["product", "product", "product", "database", "both"],
        longestMs: 4_000,
      };
      const outcome = await killOne(kills, index);
      outcomes.push(outcome);
      printCounts(run, name, { "own seed": kills.seed, outcome: JSON.stringify(outcome) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

/** Totals of the kills of several products, for `printCounts`. */
export function sumOfKills(outcomes: readonly Struck[]): Record<string, number> {
  const sum = (of: (outcome: Struck) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  return {
    places: outcomes.length,
    "kills of the product": sum(({ struck }) => struck.product),
    "of the database": sum(({ struck }) => struck.database),
    "of both": sum(({ struck }) => struck.both),
    "slowest start, ms": Math.max(...outcomes.map(({ slowest }) => slowest.startMs)),
    "slowest resume after it, ms": Math.max(...outcomes.map(({ slowest }) => slowest.resumeMs)),
  };
}

/** Asks the database of a product that may have been killed just now. */
export async function askDatabase<Row extends object>(
  place: Pick<ProductInstance, "folder">,
  question: string,
): Promise<Row[]> {
  const client = await enterDatabase(place);
  try {
    return (await client.query<Row>(question)).rows;
  } finally {
    await client.end();
  }
}

/** A connection of one's own to the database of a product, past the product. */
export async function enterDatabase({ folder }: Pick<ProductInstance, "folder">): Promise<pg.Client> {
  const { socketFolder } = findDatabase(folder);
  const client = new pg.Client({ host: socketFolder, user: DATABASE_USER, database: DATABASE_USER });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** A vendor as slow as the real one, so that kills strike during its calls. Rules do not outlive the simulator. */
const slowBatches = (seed: number) => [
  { fault: "latency", ms: 1_500, match: { operation: "batch" }, probability: 0.2, seed },
  { fault: "latency", ms: 400, match: { operation: "batch" }, probability: 0.7, seed: seed + 1 },
];

async function strike(
  victim: Victim,
  { product, place }: { product: Product; place: ProductInstance },
): Promise<void> {
  if (victim === "product") return product.kill();
  await killDatabase(place.folder);
  if (victim === "both") return product.kill();
  // Without its database the product says so and ends by itself.
  await untilGone(product.url);
  await product.stop();
}

/** @returns milliseconds since a moment until a worker had taken up the work again, or found it complete */
async function untilTaken(
  { readState }: Pick<WorkToKill<unknown>, "readState">,
  before: WorkState,
  since: number,
): Promise<number> {
  for (;;) {
    const now = await readState();
    const passedMs = performance.now() - since;
    if (!now.isOpen || now.fence > before.fence) return Math.round(passedMs);
    if (passedMs > 60_000) return Infinity;
    await wait(20);
  }
}
