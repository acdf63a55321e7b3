import { expect, test } from "vitest";
import { answerCalls, refusal, type Scripted } from "#integrations/ups/fixtures/answer-calls.ts";
import { trackAnswer } from "#integrations/ups/track-answer.ts";
import { CODES, expandCodes, findTrackState, UNMAPPED } from "#integrations/ups/track-status.ts";

const NUMBER = "1Z1A2B3C0300000017";

const scan = (type: string, code: string, statusCode: string, changes: object = {}) => ({
  date: "20261127",
  time: "93000",
  gmtDate: "20261127",
  gmtTime: "17:30:00",
  gmtOffset: "-08:00",
  location: { address: { city: "Reno", stateProvince: "NV", countryCode: "US", country: "US" } },
  status: { type, code, statusCode, description: "Arrived at Facility " },
  ...changes,
});

const reply = (found: object) => ({
  trackResponse: { shipment: [{ inquiryNumber: NUMBER, package: [{ trackingNumber: NUMBER, ...found }] }] },
});

const read = (found: object) => trackAnswer.parse(reply(found)).packages[0];

test("a number is requested in capitals, a reference with its account and days", async () => {
  await using canned = await answerCalls({ json: reply({}) }, { json: reply({}) });
  await canned.ups.track("access-1", NUMBER.toLowerCase(), { withProof: true });
  const scope = { account: "1A2B3C", from: "2026-11-20", to: "2026-11-27" };
  await canned.ups.trackReference("access-1", "PO 7001/A", scope);
  expect(
    canned.requests.map(({ method, url }) => [method, url.pathname, Object.fromEntries(url.searchParams)]),
  ).toEqual([
    [
      "GET",
      `/api/track/v1/details/${NUMBER}`,
      { locale: "en_US", returnSignature: "false", returnMilestones: "false", returnPOD: "true" },
    ],
    [
      "GET",
      "/api/track/v1/reference/details/PO%207001%2FA",
      {
        locale: "en_US",
        fromPickUpDate: "20261120",
        toPickUpDate: "20261127",
        shipperNum: "1A2B3C",
        refNumType: "SmallPackage",
      },
    ],
  ]);
});

test("a delivered package is read whole, with its signature and UPS's own proof", () => {
  const [signature, proof] = [Buffer.from("GIF89a name"), Buffer.from("<html>Delivery Notification")];
  const found = read({
    activity: [scan("D", "FS", "011"), scan("I", "OT", "021")],
    currentStatus: { description: "Delivered", code: "011" },
    deliveryDate: [
      { type: "DEL", date: "20261127" },
      { type: "SDD", date: "20261128" },
    ],
    deliveryInformation: {
      location: "FRONT DOOR",
      receivedBy: "",
      signature: { image: signature.toString("base64") },
      pod: { content: proof.toString("base64") },
    },
    service: { code: "003", description: "UPS Ground " },
    weight: { unitOfMeasurement: "LBS", weight: 12.4 },
    packageCount: "2",
    referenceNumber: { type: "SHIPMENT", number: "PO-7001" },
    packageAddress: [
      {
        type: "DESTINATION",
        address: { city: "RENO", stateProvince: "NV", postalCode: "89506", country: "US" },
      },
    ],
  });
  expect(found).toEqual({
    trackingNumber: NUMBER,
    state: "delivered",
    activities: [
      {
        at: "2026-11-27T17:30:00.000Z",
        localDate: "2026-11-27",
        localTime: "09:30:00",
        place: { city: "Reno", state: "NV", zip: "", country: "US" },
        type: "D",
        code: "FS",
        statusCode: "011",
        description: "Arrived at Facility",
        state: "delivered",
      },
      expect.objectContaining({ type: "I", code: "OT", state: "out_for_delivery" }),
    ],
    deliveredOn: "2026-11-27",
    scheduledOn: "2026-11-28",
    window: null,
    pickupBy: null,
    delivery: { location: "FRONT DOOR", receivedBy: "", signature, proof },
    service: { code: "003", description: "UPS Ground" },
    weight: { weight: "12.4", unit: "LBS" },
    packageCount: 2,
    references: [{ type: "SHIPMENT", number: "PO-7001" }],
    destination: { city: "RENO", state: "NV", zip: "89506", country: "US" },
  });
});

test.each([
  ["delivered", { activity: scan("D", "9E", "026") }],
  ["delivered", { activity: [scan("D", "KB", "999")], deliveryDate: { type: "DEL", date: "20261127" } }],
  // Type D is used for the way to the door too, and a date or photo flags alone prove nothing.
  ["out_for_delivery", { activity: [scan("D", "OT", "021")] }],
  [null, { activity: [scan("D", "F4", "999")] }],
  ["in_transit", { activity: [scan("I", "AR", "005")], deliveryDate: [{ type: "DEL", date: "20261127" }] }],
  ["in_transit", { activity: [scan("I", "AR", "011")] }],
  ["held", { activity: [scan("D", "2Q", "161")] }],
  ["voided", { activity: [scan("MV", "VP", "007"), scan("M", "MP", "003")] }],
  ["label_created", { activity: [scan("M", "DP", "999")] }],
  ["in_transit", { activity: [scan("I", "DP", "999")] }],
  ["returning", { activity: [scan("X", "RS", "033"), scan("X", "UD", "046")] }],
  // A returned package is delivered to its sender in the end, which does not count as a delivery.
  ["returning", { activity: [scan("D", "FS", "011"), scan("X", "RS", "033"), scan("X", "UD", "046")] }],
  [
    "returning",
    {
      activity: [scan("D", "KB", "999"), scan("I", "RS", "035")],
      deliveryDate: { type: "DEL", date: "20261127" },
    },
  ],
  ["delivered", { activity: [scan("X", "RS", "033"), scan("D", "FS", "011"), scan("I", "OT", "021")] }],
  ["in_transit", { activity: [scan("D", "OF", "071")] }],
  // The newest one with a known state.
  ["exception", { activity: [scan("U", "PX", ""), scan("X", "A1", "046"), scan("I", "OT", "021")] }],
  ["in_transit", { activity: [], currentStatus: { description: "On the Way", code: "5" } }],
  [null, { activity: [], deliveryInformation: { deliveryPhoto: { photoCaptureInd: "Y" } } }],
  [null, {}],
])("TK-10 a package is %s by its activities: %o", (state, found) => {
  expect(read(found)?.state).toBe(state);
});

test("TK-10 every code on the list has one state, and only type D counts as a delivery", () => {
  expect(["006", "021", "161", "169", "22", "011"].map((each) => findTrackState("D", each))).toEqual([
    "out_for_delivery",
    "out_for_delivery",
    "held",
    "in_transit",
    "attempted",
    "delivered",
  ]);
  expect(findTrackState("I", "011")).toBe("in_transit");
  expect(findTrackState("", "")).toBeNull();
});

test("stray characters, odd dates and a broken signature leave the rest readable", () => {
  const found = read({
    activity: {
      date: "2026-11-27&#xD;",
      time: "00:05:00",
      gmtDate: "",
      gmtTime: "",
      location: null,
      status: { type: "I&#xD;", code: "AR\r", statusCode: 5, description: "Arrived&#xD;" },
    },
    deliveryInformation: { signature: { image: "half of an ima" }, pod: "" },
    deliveryDate: "",
  });
  expect(found?.activities).toEqual([
    {
      at: null,
      localDate: "2026-11-27",
      localTime: "00:05:00",
      place: { city: "", state: "", zip: "", country: "" },
      type: "I",
      code: "AR",
      statusCode: "5",
      description: "Arrived",
      state: "in_transit",
    },
  ]);
  expect(found?.delivery).toMatchObject({ signature: null, proof: null });
});

const unknown = { code: "TW0001", message: "Tracking Information Not Found" };

test.each<Scripted>([
  { json: { trackResponse: { shipment: [{ inquiryNumber: NUMBER, warnings: [unknown] }] } } },
  { json: { trackResponse: { shipment: { warnings: { ...unknown, code: "TW0001&#xD;" } } } } },
  { status: 404, json: { response: { errors: [unknown] } } },
])("a number that UPS doesn't know has no packages: %o", async (answer) => {
  await using canned = await answerCalls(answer);
  expect(await canned.ups.track("access-1", NUMBER)).toEqual([]);
});

test.each<[string, Scripted]>([
  ["refused", refusal("TV1002")],
  ["auth", refusal("250002", 401)],
  ["throttled", refusal("10429", 429)],
  ["uncertain", { json: { trackResponse: { shipment: [{ inquiryNumber: NUMBER }] } } }],
  ["uncertain", { json: { trackResponse: {} } }],
  ["uncertain", (response) => response.writeHead(200).end("<html>")],
  ["uncertain", (response) => response.writeHead(404).end("{}")],
])("an answer that doesn't say where a package is, is %s", async (kind, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.track("access-1", NUMBER)).rejects.toMatchObject({ kind });
});

test("a day that doesn't exist is read as none", () => {
  const found = read({
    activity: [scan("I", "AR", "005", { date: "20261345", gmtDate: "20261345" })],
    deliveryDate: [
      { type: "SDD", date: "00000000" },
      { type: "DEL", date: "2026-02-30" },
    ],
  });
  expect(found).toMatchObject({ scheduledOn: null, deliveredOn: null });
  expect(found?.activities).toMatchObject([{ at: null, localDate: "" }]);
});

test("UO-13 the hours of a delivery and the last day at an access point are kept; other times are none", () => {
  const due = (type: string, startTime: string, endTime: string) =>
    read({ deliveryTime: { type, startTime, endTime } })?.window;
  expect(due("EDW", "111500", "151500")).toEqual({ from: "11:15:00", until: "15:15:00" });
  expect(due("EOD", "", "230000")).toBeNull();
  expect(due("CDW", "", "151500")).toBeNull();
  expect(read({ accessPointInformation: { pickupByDate: "20261204" } })?.pickupBy).toBe("2026-12-04");
  expect(read({ accessPointInformation: { pickupByDate: "soon" } })?.pickupBy).toBeNull();
});

test("UO-13 each of UPS's 160 status codes is mapped to one state, or listed as unmapped", () => {
  const mapped = Object.values(CODES).flatMap((codes) => expandCodes(codes));
  const all = [...mapped, ...expandCodes(UNMAPPED)];
  // UPS's appendix has no others between 000 and 169.
  const absent = ["001", "002", "004", "008", "009", "015", "031", "150", "151", "152"];
  const listed = Array.from({ length: 170 }, (_, code) => String(code).padStart(3, "0"));
  expect(all.toSorted()).toEqual(listed.filter((code) => !absent.includes(code)));
  expect(new Set(all).size).toBe(160);
});

test.each([
  ["D", "144", "held"],
  ["X", "003", "in_transit"],
  ["M", "003", "label_created"],
  ["", "003", "label_created"],
  ["I", "078", "out_for_delivery"],
  ["X", "147", "exception"],
  ["X", "149", "exception"],
  ["U", "100", null],
  ["U", "106", null],
])("UO-13 type %s with status code %s is %s", (type, code, state) => {
  expect(findTrackState(type, code)).toBe(state);
});
