import { expect, test } from "vitest";
import { fingerprint, scrubEvent } from "#features/telemetry/rules-event.ts";

const scrubMessage = (message: string) => scrubEvent({ event_id: "1".repeat(32), message })?.message;

test.each([41_000, 1_000_000])(
  "UO-16 the worst message of %i characters is scrubbed within 20 ms",
  (size) => {
    for (const part of ["a-", "eyJ-", "\"'`", "'a", "a://"]) {
      const message = `'${part.repeat(size / part.length)}=`;
      scrubMessage(message);
      const before = process.threadCpuUsage();
      expect(scrubMessage(message)?.length).toBeLessThanOrEqual(500);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000, part).toBeLessThan(20);
    }
  },
);

test("RP-13 a quoted content that is longer than what is searched is left out", () => {
  const message = `Unexpected token in "${"Paulsen Medical, ".repeat(1_000)}" at line 1`;
  expect(scrubMessage(message)).toBe('Unexpected token in "…"');
});

test("a message with an apostrophe is kept as it is", () => {
  const message = "Couldn't draw the page of invoices because a row had no number";
  expect(scrubMessage(message)).toBe(message);
});

const failedCall = (tags: { call?: string; status?: string }) => {
  const frames = [{ filename: "https://dockside.example/assets/call-1a2b3c4d.js", function: "toApiError" }];
  const values = [{ type: "ApiError", value: "It failed", stacktrace: { frames } }];
  const event = scrubEvent({ event_id: "1".repeat(32), tags, exception: { values } });
  return event && fingerprint(event);
};

test("RP-13 calls that fail have one cause for each method, route and status", () => {
  const failure = { call: "POST /api/v1/invoices/:upload", status: "500" };
  expect(failedCall({ ...failure })).toBe(failedCall(failure));
  const others = [
    { ...failure, call: "GET /api/v1/invoices/:upload" },
    { ...failure, call: "POST /api/v1/labels" },
    { ...failure, status: "503" },
    {},
  ];
  expect(new Set([failure, ...others].map(failedCall)).size).toBe(5);
});
