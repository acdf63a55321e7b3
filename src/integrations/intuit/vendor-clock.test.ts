import { expect, test } from "vitest";
import { createVendorClock } from "#integrations/intuit/vendor-clock.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Two clocks, the vendor's ten minutes ahead, that have seen an answer after two seconds. */
function start() {
  const time = { wallMs: Date.parse("2026-11-02T12:00:00Z"), steadyMs: 5_000 };
  const clock = createVendorClock({ now: () => new Date(time.wallMs), steadyMs: () => time.steadyMs });
  const pass = (ms: number) => {
    time.wallMs += ms;
    time.steadyMs += ms;
  };
  const sent = clock.read();
  pass(2_000);
  clock.note("Mon, 02 Nov 2026 12:10:01 GMT", sent);
  return { time, clock, pass };
}

const arrival = (clock: ReturnType<typeof start>["clock"]) => {
  const found = clock.arrival();
  return found && [found.from.toISOString().slice(0, 19), found.until.toISOString().slice(0, 19)];
};

test("a call arrives by the vendor's clock, whatever ours says", () => {
  const { clock, pass } = start();
  pass(30_000);
  expect(arrival(clock)).toEqual(["2026-11-02T12:10:29", "2026-11-02T12:10:35"]);
  expect(clock.translate(new Date("2026-11-02T12:00:00Z"))?.toISOString()).toBe("2026-11-02T12:09:57.000Z");
});

test.each([
  {
    what: "set two days ahead",
    jumpMs: 2 * DAY_MS,
    from: "2026-11-02T12:10:29",
    until: "2026-11-04T12:10:35",
  },
  {
    what: "set two days back",
    jumpMs: -2 * DAY_MS,
    from: "2026-11-02T12:09:59",
    until: "2026-11-02T12:10:35",
  },
])("a clock that is $what never moves a bound past the truth", ({ jumpMs, from, until }) => {
  const { clock, pass, time } = start();
  pass(30_000);
  time.wallMs += jumpMs;
  expect(arrival(clock)).toEqual([from, until]);
});

test("nothing is known before the first answer, and an invalid Date says nothing", () => {
  const clock = createVendorClock({ now: () => new Date(0), steadyMs: () => 0 });
  clock.note("soon", clock.read());
  clock.note(null, clock.read());
  expect([clock.arrival(), clock.translate(new Date(0))]).toEqual([null, null]);
});
