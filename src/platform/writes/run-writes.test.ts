import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { runWrites } from "#platform/writes/run-writes.ts";
import type { Operation } from "#platform/writes/operation.ts";
import { WRITE_POLICY } from "#platform/writes/policy.ts";
import { planWrites } from "#platform/writes/store.ts";

test("keyed writes of an operation without batches go one per call, for any operation name", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const command = { realmId: "1", subject: randomUUID(), commandId: randomUUID() };
  const writes = ["a", "b", "c"].map((part, seq) => ({
    part,
    seq,
    operation: "ship",
    requestId: `request ${part}`,
    fingerprint: part,
    vendorKey: `key ${part}`,
  }));
  await planWrites(db, command, { vendor: "carrier", writes, now: new Date() });
  const sent: string[] = [];
  const operation: Operation<string, string, string> = {
    loadBodies: (open) => Promise.resolve(new Map(open.map(({ part }) => [part, part]))),
    toRequest: ({ body }) => body,
    sendAlone: async (request, { requestId, beforeSend }) => {
      await beforeSend();
      sent.push(`${requestId}: ${request}`);
      return request;
    },
    classify: ({ body }) => ({ kind: "accepted", answer: { id: `made ${body}`, facts: {}, tid: null } }),
    lookUp: () => Promise.resolve(new Map()),
    findCreatedSince: () => Promise.resolve([]),
    findHalt: () => null,
    isVendorFailure: () => false,
    isOutage: () => false,
  };
  const end = await runWrites(
    { db, clock: systemClock, ids: systemIds, log: createLog("silent") },
    {
      command,
      vendor: "carrier",
      operation,
      policy: WRITE_POLICY,
      concurrency: { callsAlone: 2 },
      withFence: (write) => db.transaction().execute(write),
      reconcileFrom: null,
      stop: new AbortController().signal,
      sliceEnds: () => false,
      onProgress: () => Promise.resolve(),
    },
  );
  expect(end).toEqual({ kind: "done" });
  expect(sent.sort()).toEqual(["request a: a", "request b: b", "request c: c"]);
});
