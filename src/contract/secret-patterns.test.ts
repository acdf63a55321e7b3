import { expect, test } from "vitest";
import { redactSecrets } from "#contract/secret-patterns.ts";

/** Parts that patterns begin with, repeated without the end that would make a match. */
const PARTS = [
  "a-",
  "a:",
  "a://",
  "a://b:",
  "Bearer ",
  "Bearer\t\t\t",
  "code=",
  "eyJ",
  "-eyJa",
  "eyJa.",
  "eyJ-eyJ.",
  "a_secret_",
  "_secret",
  "sk_",
  "-sk_",
  "a:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  '"',
  "\"'`",
  "@",
  "a@",
];

/** Ends with the part of each pattern, without which the pattern is skipped. */
const ENDS = ["", "=", " @ = _secret_ _ eyJ"];

/** Processor time in milliseconds; the better of two, because the first may compile a pattern. */
const costMs = (text: string) =>
  Math.min(
    ...[1, 2].map(() => {
      const before = process.threadCpuUsage();
      redactSecrets(text);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    }),
  );

test.each([
  [41_000, 20],
  [400_000, 60],
])("UO-16 the worst texts of %i characters are searched within %i ms", (size, maxMs) => {
  const texts = PARTS.flatMap((part) => ENDS.map((end) => part.repeat(size / part.length) + end));
  const slow = texts.map((text) => [text.slice(0, 10), costMs(text)] as const).filter(([, ms]) => ms > maxMs);
  expect(slow).toEqual([]);
});

const KEY = Buffer.alloc(32, 7).toString("base64");

test.each([
  ["postgres://me:hunter2@host:5432/books", "postgres://[secret]@host:5432/books"],
  ["Authorization: Bearer abc.d-e/f=", "Authorization: Bearer [secret]"],
  [`SEALING_KEYS=k-1:${KEY},k2:${KEY} is no key`, "SEALING_KEYS=k-1:[secret],k2:[secret] is no key"],
  ["/x?a=1&code=77&b='2'", "/x?a=1&code=[secret]&b='2'"],
  ["for pi_3Nx_secret_42 of whsec_7 or (sk_live_8)", "for [secret] of [secret] or ([secret])"],
  ["token-eyJhbGciOi.eyJzdWIi.c2ln, eyJhbGciOi..", "token-[secret], [secret].."],
])("%s keeps no secret", (text, shown) => {
  expect(redactSecrets(text)).toBe(shown);
});
