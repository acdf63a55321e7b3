import { expect, test } from "vitest";
import { countMessage, SENDER_LIMIT, senderNetwork, type Senders } from "#features/legal/rules.ts";

test("CT-02 a sender can send five messages in ten minutes, and is shown how long to wait for the sixth", () => {
  const senders: Senders = new Map();
  for (let index = 0; index < SENDER_LIMIT.messages; index += 1) {
    expect(countMessage(senders, "a", index * 1_000)).toBeNull();
  }
  expect(countMessage(senders, "a", 60_000)).toBe(SENDER_LIMIT.withinMs - 60_000);
  expect(countMessage(senders, "b", 60_000)).toBeNull();
  expect(countMessage(senders, "a", SENDER_LIMIT.withinMs + 1)).toBeNull();
});

test("CT-02 only the latest senders are remembered", () => {
  const senders: Senders = new Map();
  for (let index = 0; index <= SENDER_LIMIT.senders; index += 1) countMessage(senders, `s${index}`, index);
  expect(senders.size).toBe(SENDER_LIMIT.senders);
  expect(senders.has("s0")).toBe(false);
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
])("CT-02 senders are counted by IPv4 address or IPv6 network: %s", (address, network) => {
  expect(senderNetwork(address)).toBe(network);
});
