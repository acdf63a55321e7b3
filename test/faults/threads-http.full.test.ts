import { expect, test } from "vitest";
import { ACME } from "../support/intuit.ts";
import { compareThreads, type ThreadCounts } from "./support/compare-thread.ts";
import { battery, printCounts } from "./support/battery.ts";
import { backUp, finish, openWorld, passDay, passDayWithDeaths, type World } from "./support/thread-life.ts";

const run = battery({ short: 12, long: 300 });
/** Orders of one company with the same misfortune. */
const AT_ONCE = Math.min(run.times, run.isLong ? 12 : 4);
const DAYS = 3;

const MISFORTUNES: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "answers that get lost": async (world) => {
    for (let day = 0; day < DAYS; day += 1) await passDay(world);
  },
  "workers that die": async (world) => {
    for (let day = 0; day < DAYS; day += 1) await passDayWithDeaths(world);
  },
  "an older backup": async (world) => {
    const at = world.random.upTo(DAYS - 1);
    let putBack: (() => Promise<void>) | undefined;
    for (let day = 0; day < DAYS; day += 1) {
      if (day === at) putBack = await backUp(world);
      await passDay(world);
    }
    await putBack?.();
  },
};

const desks = Math.ceil(run.times / AT_ONCE);
const all: ThreadCounts[] = [];

test.for(Array.from({ length: desks }, (_, at) => at))(
  "TD-22 over HTTP, desk %i: ordered − canceled = cartons = 856 = invoice = 810 to the unit and the cent, each document once",
  { timeout: run.timeout },
  async (at) => {
    const names = Object.keys(MISFORTUNES);
    const name = names[at % names.length] ?? "";
    const world = await openWorld(run.seed * 100 + at, AT_ONCE);
    const before = new Set((await world.desk.app.intuit.invoices(ACME)).map(({ Id }) => Id));
    await MISFORTUNES[name]?.(world);
    await finish(world);
    const counts = await compareThreads(world, before);
    all.push(counts);
    expect(counts.faults, name).toEqual([]);
  },
);

test("TD-22 over HTTP: the counts of all desks", () => {
  const sum = (read: (counts: ThreadCounts) => number) =>
    all.reduce((total, counts) => total + read(counts), 0);
  const counts = {
    orders: sum(({ orders }) => orders),
    shipments: sum(({ shipments }) => shipments),
    "ship notices": sum(({ notices }) => notices),
    invoices: sum(({ invoices }) => invoices),
    "sent as 810": sum(({ sent }) => sent),
    "refused first": sum(({ refused }) => refused),
    asked: sum(({ asked }) => asked),
    differing: all.flatMap(({ faults }) => faults).length,
  };
  printCounts(run, "threads-http", counts);
  expect(counts.differing).toBe(0);
});
