import { expect, test } from "vitest";
import { answerCalls, refusal, type Scripted } from "#integrations/ups/fixtures/answer-calls.ts";

const ID = "1Z1A2B3C0300000017";
const OTHER = "1Z1A2B3C0300000026";

const entry = (number: string, code: string | number, message: string) => ({
  TrackingNumber: number,
  Status: { Code: code, Description: message },
});

const reply = (summary: string | null, lists: object = {}): Scripted => ({
  json: {
    VoidShipmentResponse: {
      Response: { ResponseStatus: { Code: "1", Description: "Success" } },
      ...(summary ? { SummaryResult: { Status: { Code: "1", Description: summary } } } : {}),
      ...lists,
    },
  },
});

test("a whole shipment is voided by its number, in capitals, without a body", async () => {
  await using canned = await answerCalls(
    reply("Voided", { PackageLevelResults: [entry(ID, "1", "Voided"), entry(OTHER, "1", "Voided")] }),
  );
  expect(await canned.ups.voidShipment("access-1", ID.toLowerCase())).toEqual({
    state: "voided",
    packages: [
      { trackingNumber: ID, isVoided: true, message: "Voided" },
      { trackingNumber: OTHER, isVoided: true, message: "Voided" },
    ],
  });
  const [{ method, url, body }] = canned.requests as [(typeof canned.requests)[0]];
  expect([method, url.pathname, url.search, body]).toEqual([
    "DELETE",
    `/api/shipments/v2409/void/cancel/${ID}`,
    "",
    undefined,
  ]);
});

test.each<[string, string, Scripted]>([
  [
    "voided under UPS's other name for the list, with one entry as an object and stray characters",
    "voided",
    reply("Voided&#xD;", { PackageLevelResult: entry(`${ID}&#xD;`, "1&#xD;", "Voided&#xD;") }),
  ],
  ["voided before", "voided", reply("Voided", { PackageLevelResult: [entry(ID, 1, "Already Voided")] })],
  ["voided before, as a refusal says", "voided", refusal("190117")],
  ["voided with a pickup still booked", "voided", refusal("190119")],
  ["voided without any package named", "voided", reply("Voided")],
  [
    "kept in part, though the summary says success",
    "partly",
    reply("Voided", { PackageLevelResults: [entry(ID, "1", "Voided"), entry(OTHER, "0", "Not voided")] }),
  ],
  ["kept by its only package", "kept", reply(null, { PackageLevelResult: entry(ID, "0", "Not voided") })],
])("a shipment %s is %s", async (_name, state, answer) => {
  await using canned = await answerCalls(answer);
  expect(await canned.ups.voidShipment("access-1", ID)).toMatchObject({ state });
});

test.each<[string, Scripted]>([
  ["refused", refusal("190102")],
  ["throttled", refusal("10429", 429)],
  ["uncertain", refusal("190001")],
  ["uncertain", { json: { VoidShipmentResponse: { Response: {} } } }],
  ["uncertain", (response) => response.writeHead(200).end("<html>")],
  ["uncertain", reply("Partially Voided")],
  ["uncertain", reply("Partially Voided", { PackageLevelResult: entry(ID, "1", "Voided") })],
])("a shipment that UPS keeps, or may keep in part, is %s", async (kind, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.voidShipment("access-1", ID)).rejects.toMatchObject({ kind });
});

test("packages are voided twenty at a time, and those of a refused call are kept", async () => {
  const numbers = Array.from({ length: 41 }, (_, at) => `1Z1A2B3C03${String(at).padStart(8, "0")}`);
  const voided = (some: readonly string[]) =>
    reply("Voided", { PackageLevelResult: some.map((each) => entry(each, "1", "Voided")) });
  await using canned = await answerCalls(
    voided(numbers.slice(0, 20).toReversed()),
    refusal("190110"),
    voided(numbers.slice(40)),
  );
  const { state, packages } = await canned.ups.voidShipment("access-1", ID, numbers);
  expect(state).toBe("partly");
  expect(packages.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
  expect(packages.filter(({ isVoided }) => isVoided)).toHaveLength(21);
  expect(packages[20]).toMatchObject({ isVoided: false, message: "Refused. (190110)" });
  const [first, , last] = canned.requests.map(({ url }) => url.searchParams.get("trackingnumber"));
  expect(first).toBe(JSON.stringify(numbers.slice(0, 20)));
  expect(last).toBe(numbers[40]);
});

test.each<[string, Scripted]>([
  ["no package", reply("Voided")],
  ["no package, and that some were kept", reply("Partially Voided")],
  ["one of two packages", reply("Voided", { PackageLevelResult: entry(ID, "1", "Voided") })],
  ["another package", reply("Voided", { PackageLevelResult: entry("1Z1A2B3C0300000035", "1", "Voided") })],
])("packages are neither voided nor kept after an answer that names %s", async (_name, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.voidShipment("access-1", ID, [ID, OTHER])).rejects.toMatchObject({
    kind: "uncertain",
  });
});
