import { sql } from "kysely";
import { expect, test } from "vitest";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import { pollPackages } from "../../../test/support/system-runs.ts";
import { EVENTS, type EventName } from "../../../simulators/ups/events.ts";

/** UPS's scripts of a package: the state of each of its events, by its type and status code, in their order. */
const WALKS: Readonly<Record<string, readonly [code: string, state: string][]>> = {
  normal: [
    ["M 003", "label_created"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 021", "out_for_delivery"],
    ["D 011", "delivered"],
  ],
  exception: [
    ["M 003", "label_created"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["X 048", "exception"],
  ],
  returned: [
    ["M 003", "label_created"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 021", "out_for_delivery"],
    ["X 022", "attempted"],
    ["X 033", "returned"],
    ["I 005", "returned"],
    ["X 036", "returned"],
  ],
  access_point: [
    ["M 003", "label_created"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 021", "out_for_delivery"],
    ["D 161", "held"],
  ],
  abroad: [
    ["M 003", "label_created"],
    ["I 038", "in_transit"],
    ["I 005", "in_transit"],
    ["I 010", "in_transit"],
    ["X 012", "in_transit"],
    ["I 014", "in_transit"],
    // Customs released it: the same code as of a label.
    ["X 003", "in_transit"],
    ["I 005", "in_transit"],
    ["I 057", "in_transit"],
    ["D 144", "held"],
    ["D 026", "delivered"],
  ],
  troubled: [
    ["M 003", "label_created"],
    ["I 039", "in_transit"],
    ["I 005", "in_transit"],
    ["X 046", "exception"],
    ["X 053", "exception"],
    ["X 029", "exception"],
    ["X 013", "exception"],
    ["I 071", "in_transit"],
    // UPS's type of deliveries, on the way to the door.
    ["D 006", "out_for_delivery"],
    ["X 023", "attempted"],
    ["X 024", "attempted"],
    ["X 034", "returned"],
    ["X 035", "returned"],
    ["X 036", "returned"],
  ],
  waiting: [
    ["M 003", "label_created"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 005", "in_transit"],
    ["I 083", "held"],
    ["X 017", "held"],
    ["I 021", "out_for_delivery"],
    ["D 143", "delivered"],
  ],
};

const MAX_STEPS = Math.max(...Object.values(WALKS).map((steps) => steps.length));

test("UO-13 TK-10 the 30 status codes that UPS sends most, walked by packages of the demo's UPS, each show their state", async () => {
  const desk = await openShippingDesk();
  const { app } = desk;
  await app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const names = Object.keys(WALKS);
  await desk.addSamples(...names.map((_, at) => at + 1));
  for (const at of names.keys()) expect((await desk.ship(`8000${at + 1}`)).status).toBe(200);
  const { labels } = await desk.history();
  const walks = names.map((name, at) => ({
    tracking: labels.find(({ po_number }) => po_number === `8000${at + 1}`)?.tracking_numbers[0] ?? "",
    steps: WALKS[name] ?? [],
    name,
  }));
  for (const { tracking, name } of walks)
    await app.ups.control("packages", { tracking, scenario: name }, "PATCH");
  const events = new Map(walks.map(({ tracking }) => [tracking, "billed" as EventName]));
  const seen = new Set<string>();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await sql`update package set next_poll_at = added_at`.execute(app.db);
    await pollPackages(app);
    const { rows } = await sql<{ number: string; state: string }>`select number, state from package`.execute(
      app.db,
    );
    for (const { tracking, steps, name } of walks) {
      const expected = steps[step];
      if (!expected) continue;
      const { type, statusCode } = EVENTS[events.get(tracking) ?? "billed"];
      const state = rows.find(({ number }) => number === tracking)?.state;
      expect([name, step, `${type} ${statusCode}`, state]).toEqual([name, step, ...expected]);
      seen.add(expected[0]);
      if (!steps[step + 1]) continue;
      const { event } = await app.ups.control<{ event: EventName }>("packages/advance", { tracking });
      events.set(tracking, event);
    }
  }
  expect(seen.size).toBeGreaterThanOrEqual(30);
});
