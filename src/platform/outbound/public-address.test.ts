import { expect, test } from "vitest";
import { isReachable } from "#platform/outbound/public-address.ts";

test.each([
  // Addresses of IPv6 that a translator passes on to one of IPv4 (SIIT, NAT64, Teredo, 6to4).
  "::ffff:10.0.0.1",
  "::ffff:0:10.0.0.1",
  "::ffff:0:a00:1",
  "64:ff9b::a00:1",
  "64:ff9b:1::a00:1",
  "2001::1",
  "2002:a00:1::1",
  // Documentation, segment routing, dummy prefix, benchmarks.
  "3fff::1",
  "3fff:fff:ffff::1",
  "5f00::1",
  "100:0:0:1::1",
  "2001:2::1",
  // The host of Azure's virtual machines, and metadata services.
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "169.254.169.254",
  "fd00:ec2::254",
])("an address that is not of the public internet isn't reached: %s", (address) => {
  expect([isReachable(address, "public"), isReachable(address, "loopback")]).toEqual([false, false]);
});

test.each(["1.1.1.1", "168.63.129.17", "2606:4700:4700::1111", "2a00:1450::1", "2001:4860:4860::8888"])(
  "an address of the public internet is reached: %s",
  (address) => expect(isReachable(address, "public")).toBe(true),
);
