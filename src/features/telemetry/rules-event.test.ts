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

const failedCall = (call: { method?: string; route?: string; status?: string }) => {
  const frames = [{ filename: "https://dockside.example/assets/call-1a2b3c4d.js", function: "callApi" }];
  const event = scrubEvent({
    event_id: "1".repeat(32),
    tags: call,
    exception: { values: [{ type: "ApiError", value: "It failed", stacktrace: { frames } }] },
  });
  return event && fingerprint(event);
};

test("RP-13 calls that fail have a cause for each method, route and status, whatever ids are in their path", () => {
  const call = { method: "POST", route: "/api/v1/invoices", status: "500" };
  const same = [call, { ...call }].map(failedCall);
  expect(new Set(same).size).toBe(1);
  const others = [
    call,
    { ...call, method: "GET" },
    { ...call, status: "503" },
    { ...call, route: "/api/v1/labels" },
    {},
  ];
  expect(new Set(others.map(failedCall)).size).toBe(5);
  const id = (part: string) => failedCall({ ...call, route: `/api/v1/uploads/${part}/rows?x=${part}` });
  expect(
    new Set(["5f0c1a52-1111-4222-8333-944455556666", "9130357849016936", ":upload"].map(id)).size,
  ).toBe(1);
});
