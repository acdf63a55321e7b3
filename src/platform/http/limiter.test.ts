import { expect, test } from "vitest";
import { createLimiter } from "#platform/http/limiter.ts";
import { callerNetwork } from "#platform/http/gate.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function startLimiter() {
  let now = 1_000;
  const count = createLimiter({ now: () => new Date(now) }, { max: 5, withinMs: MINUTE_MS });
  return { count, pass: (ms: number) => (now += ms) };
}

test("CT-02 a caller may call five times in a period, and on the sixth learns how long to wait", () => {
  const { count, pass } = startLimiter();
  for (let call = 0; call < 5; call += 1) {
    expect(count("a")).toBeNull();
    pass(1_000);
  }
  expect(count("a")).toBe(MINUTE_MS - 5_000);
  expect(count("b")).toBeNull();
  pass(MINUTE_MS - 5_000);
  expect(count("a")).toBeNull();
});

test("a clock set back or forward by two days does not lock out any caller", () => {
  const { count, pass } = startLimiter();
  for (let call = 0; call < 6; call += 1) count("a");
  for (const ms of [-2 * DAY_MS, 2 * DAY_MS]) {
    pass(ms);
    for (let call = 0; call < 5; call += 1) expect(count("a")).toBeNull();
    expect(count("a")).toBe(MINUTE_MS);
  }
});

test("CT-02 only recent callers are remembered, but a caller over the limit is never evicted", () => {
  const { count } = startLimiter();
  for (let call = 0; call < 6; call += 1) count("over");
  for (let call = 0; call < 5; call += 1) count("within");
  for (let other = 0; other < 10_000; other += 1) count(`other ${other}`);
  expect([count("over"), count("within")]).toEqual([MINUTE_MS, null]);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::2:3:4:5:6:7", "1:0:2:3::/64"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
])("CT-02 callers are counted by IPv4 address or IPv6 network: %s", (address, network) => {
  expect(callerNetwork(address)).toBe(network);
});
