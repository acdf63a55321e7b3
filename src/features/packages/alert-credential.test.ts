import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { makeCredential, readCredential } from "#features/packages/alert-credential.ts";

const KEYS = [1, 2].map((byte) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) }));

test("the credential of UPS's events is made with a key of its own, and still read after the keys were rotated", () => {
  const made = makeCredential(KEYS.slice(1), "company-1");
  expect([readCredential(KEYS, made), readCredential(KEYS, `Bearer ${made}`)]).toEqual([
    "company-1",
    "company-1",
  ]);
  for (const { key } of KEYS)
    for (const text of ["company-1", "ups-alert company-1"]) {
      const signature = createHmac("sha256", key).update(text).digest("base64url");
      expect(readCredential(KEYS, `company-1.${signature}`)).toBeNull();
    }
});
