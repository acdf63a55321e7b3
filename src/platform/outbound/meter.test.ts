import { afterAll, beforeAll, expect, test } from "vitest";
import { pino } from "pino";
import { createMeter } from "#platform/outbound/meter.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { stillClock } from "../../../test/support/still-clock.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function open(vendor: string, monthlyLimit: number, count = 1) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const clock = stillClock();
  clock.advance(Date.parse("2026-11-30T23:50:00Z") - clock.now().getTime());
  const meters = Array.from({ length: count }, () =>
    createMeter({ db: database.db, clock, log, vendor, monthlyLimit }),
  );
  return { meters, clock, lines };
}

test("calls of several processes are added up, and one of them warns once", async () => {
  const { meters, lines } = open("several", 1_000, 4);
  await Promise.all(
    meters.map(async (meter) => {
      for (let call = 0; call < 250; call += 1) await meter.count();
    }),
  );
  for (const meter of meters) await meter.readMonth();
  expect(await meters[0]?.readMonth()).toEqual({ calls: 1_000, limit: 1_000 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("80 % of a month's metered calls are used");
});

test("a new month begins at zero, and warns again", async () => {
  const { meters, clock, lines } = open("month", 10);
  const [meter] = meters;
  for (let call = 0; call < 9; call += 1) await meter?.count();
  expect(await meter?.readMonth()).toEqual({ calls: 9, limit: 10 });
  clock.advance(15 * 60_000);
  expect(await meter?.readMonth()).toEqual({ calls: 0, limit: 10 });
  for (let call = 0; call < 8; call += 1) await meter?.count();
  expect(await meter?.readMonth()).toEqual({ calls: 8, limit: 10 });
  expect(lines).toHaveLength(2);
});

test("calls are saved together: two hundred take four statements", async () => {
  const { meters } = open("together", 1_000_000);
  let saved = 0;
  const rows = () =>
    database.db
      .withTables<{ metered_calls: { vendor: string; calls: number } }>()
      .selectFrom("metered_calls")
      .select("calls")
      .where("vendor", "=", "together")
      .executeTakeFirst();
  let last = 0;
  for (let call = 0; call < 200; call += 1) {
    await meters[0]?.count();
    const calls = (await rows())?.calls ?? 0;
    if (calls !== last) saved += 1;
    last = calls;
  }
  expect({ saved, last }).toEqual({ saved: 4, last: 200 });
});
