import { expect, test } from "vitest";
import { planDigest } from "#features/tracking/rules-mails.ts";

const ZONE = "America/Los_Angeles";
const at = (text: string) => new Date(text);

test.each([
  [
    "before eight in the morning",
    "2026-11-20T20:00:00Z",
    "2026-11-21T15:59:00Z",
    false,
    "2026-11-21T16:00:00Z",
  ],
  [
    "from eight in the morning on",
    "2026-11-20T20:00:00Z",
    "2026-11-21T16:00:00Z",
    true,
    "2026-11-22T16:00:00Z",
  ],
  ["once a day", "2026-11-21T16:00:00Z", "2026-11-21T23:00:00Z", false, "2026-11-22T16:00:00Z"],
  ["after a pause", "2026-10-01T16:00:00Z", "2026-11-21T23:00:00Z", true, "2026-11-22T16:00:00Z"],
])("TK-12 the digest is sent %s", (_name, last, now, isDue, next) => {
  expect(planDigest(at(last), ZONE, at(now))).toEqual({ isDue, nextAt: at(next) });
});
