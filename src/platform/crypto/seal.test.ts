import { expect, test } from "vitest";
import { deriveKey, parseSealingKeys, seal, unseal } from "#platform/crypto/seal.ts";

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
const keys = parseSealingKeys(key("k1", 1));

test("a sealed token opens for the connection it belongs to and for no other", () => {
  const sealed = seal(keys, "connection-1", "refresh-token");
  expect(sealed).not.toContain("refresh-token");
  expect(unseal(keys, "connection-1", sealed)).toBe("refresh-token");
  expect(() => unseal(keys, "connection-2", sealed)).toThrow();
});

test("an altered sealed token does not open", () => {
  const sealed = seal(keys, "c", "secret");
  const altered = sealed.slice(0, -2) + (sealed.endsWith("A") ? "BB" : "AA");
  expect(() => unseal(keys, "c", altered)).toThrow();
});

test("after a new key is put first, old secrets still open and new ones use the new key", () => {
  const old = seal(keys, "c", "secret");
  const rotated = parseSealingKeys(`${key("k2", 2)},${key("k1", 1)}`);
  expect(unseal(rotated, "c", old)).toBe("secret");
  expect(seal(rotated, "c", "secret")).toMatch(/^v1\.k2\./);
});

test("a key of another length is refused", () => {
  expect(() => parseSealingKeys("k1:c2hvcnQ=")).toThrow("32 bytes");
});

test("a key for another purpose is none of the sealing keys, nor one for a third purpose", () => {
  const own = Buffer.alloc(32, 1);
  const [alerts, other] = [deriveKey(own, "alerts"), deriveKey(own, "other")];
  expect([alerts.length, alerts.equals(own), alerts.equals(other)]).toEqual([32, false, false]);
  expect(deriveKey(own, "alerts")).toEqual(alerts);
});
