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

type Parts = Partial<Operation<string, string, string>>;

/** Runs three planned writes. @returns how that ended, and what was sent */
async function runThree({ vendorKey, checked, sliceEnds = () => false, ...parts }: Parts & Options) {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const command = { realmId: "1", subject: randomUUID(), commandId: randomUUID() };
  const writes = ["a", "b", "c"].map((part, seq) => ({
    part,
    seq,
    operation: "ship",
    requestId: `request ${part}`,
    fingerprint: part,
    vendorKey: vendorKey && `${vendorKey} ${part}`,
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
    ...parts,
  };
  const end = await runWrites(
    { db, clock: systemClock, ids: systemIds, log: createLog("silent") },
    {
      command,
      vendor: "carrier",
      operation,
      policy: { ...WRITE_POLICY, maxUnansweredCalls: 2 },
      concurrency: { callsAlone: 2, ...(checked && { checked }) },
      withFence: (write) => db.transaction().execute(write),
      reconcileFrom: null,
      stop: new AbortController().signal,
      sliceEnds,
      onProgress: () => Promise.resolve(),
    },
  );
  return { end: end.kind, sent: sent.sort() };
}
type Options = { vendorKey: string | null; checked?: number; sliceEnds?: () => boolean };

test("keyed writes of an operation without batches go one per call, for any operation name", async () => {
  expect(await runThree({ vendorKey: "key" })).toEqual({
    end: "done",
    sent: ["request a: a", "request b: b", "request c: c"],
  });
});

test("a write that is checked alone is sent even if the slice ended during its check, and the next one is not checked", async () => {
  const seen: string[] = [];
  const checkPlanned: Parts["checkPlanned"] = (items) => {
    seen.push(...items.map(({ body }) => body));
    return Promise.resolve(new Map());
  };
  const sliceEnds = () => seen.length > 0;
  expect(await runThree({ vendorKey: null, checked: 1, sliceEnds, checkPlanned })).toEqual({
    end: "sliceOver",
    sent: ["request a: a"],
  });
  expect(seen).toEqual(["a"]);
});

test.each([
  { unanswered: ["b"], sent: ["request a: a", "request c: c"] },
  { unanswered: ["a", "b", "c"], sent: [] },
])(
  "planned writes whose check gets no answer ($unanswered) wait, the others are sent, and after some in a row no other is checked",
  async ({ unanswered, sent }) => {
    const seen: string[] = [];
    const checkPlanned: Parts["checkPlanned"] = (items) => {
      seen.push(...items.map(({ body }) => body));
      const silent = items.filter(({ body }) => unanswered.includes(body));
      const cause = { code: "silent", params: {}, tid: null };
      return Promise.resolve(new Map(silent.map(({ write }) => [write.part, { kind: "notDone", cause }])));
    };
    const result = await runThree({ vendorKey: null, checked: 1, checkPlanned });
    expect(result).toEqual({ end: "waiting", sent });
    expect(seen).toEqual(sent.length > 0 ? ["a", "b", "c"] : ["a", "b"]);
  },
);
