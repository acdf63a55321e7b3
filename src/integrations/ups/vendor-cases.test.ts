import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerCalls } from "#integrations/ups/fixtures/answer-calls.ts";
import { shipment } from "#integrations/ups/fixtures/shipments.ts";

/** An answer in a shape that UPS published, or that a user of its API recorded. */
const sample = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../../../test/corpus/vendors/${name}`, import.meta.url), "utf8"),
  ) as object;

const NUMBER = "1Z2220060291994175";

test("UO-08 (cases) errors without their envelope are UPS's refusal, and a success without a picture keeps its number", async () => {
  await using canned = await answerCalls(
    { status: 400, json: sample("ship-errors-bare.json") },
    { json: sample("ship-no-label.json") },
  );
  await expect(canned.ups.ship("access-1", shipment())).rejects.toMatchObject({
    kind: "refused",
    faults: [{ code: "120100", message: "Missing or invalid shipper number" }],
  });
  await expect(canned.ups.ship("access-1", shipment())).rejects.toMatchObject({
    kind: "uncertain",
    numbers: [NUMBER],
  });
});

test("UO-13 (cases) a package that customs released is on its way, one at a post office is held", async () => {
  await using canned = await answerCalls(
    { json: sample("track-003-x.json") },
    { json: sample("track-144-d.json") },
  );
  expect(await canned.ups.track("access-1", NUMBER)).toMatchObject([{ state: "in_transit" }]);
  expect(await canned.ups.track("access-1", NUMBER)).toMatchObject([{ state: "held" }]);
});
