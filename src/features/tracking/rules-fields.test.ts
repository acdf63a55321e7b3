import { expect, test } from "vitest";
import { findFields, type FieldsPackage } from "#features/tracking/rules-fields.ts";

const EMPTY = { shipDate: "", shipVia: "", trackingNumber: "" };
const LABEL: FieldsPackage = {
  number: "1Z12345E0205271688",
  state: "label_created",
  service: "UPS Ground",
  activities: [{ state: "label_created", local_date: "2026-11-18" }],
  inBooks: true,
};
const GOING: FieldsPackage = {
  ...LABEL,
  state: "in_transit",
  activities: [
    { state: "in_transit", local_date: "2026-11-20" },
    { state: "in_transit", local_date: "2026-11-19" },
    ...LABEL.activities,
  ],
};
const MADE_HERE = { ...LABEL, inBooks: false };
const OURS = { shipDate: "2026-11-19", shipVia: "UPS Ground" };

test.each<[string, Parameters<typeof findFields>, ReturnType<typeof findFields>]>([
  ["nothing before the first scan of a number that a user typed", [EMPTY, {}, [LABEL]], null],
  ["day and service with the first scan, at once", [EMPTY, {}, [GOING]], OURS],
  [
    "the number of a label made here, and its service",
    [EMPTY, {}, [MADE_HERE]],
    { shipVia: "UPS Ground", trackingNumber: LABEL.number },
  ],
  ["nothing that is there", [{ ...EMPTY, ...OURS }, OURS, [GOING]], null],
  ["nothing over a user's value", [{ ...EMPTY, shipVia: "Truck" }, {}, [GOING]], { shipDate: "2026-11-19" }],
  ["nothing into a field that a user emptied", [EMPTY, OURS, [GOING]], null],
  [
    "an empty text over our values when the label is voided",
    [{ ...EMPTY, ...OURS }, OURS, [{ ...GOING, state: "voided" }]],
    { shipDate: "", shipVia: "" },
  ],
  [
    "nothing over a value that was ours when the label is voided",
    [{ ...EMPTY, ...OURS, shipVia: "Truck" }, OURS, [{ ...GOING, state: "voided" }]],
    { shipDate: "" },
  ],
])("TK-04 TK-05 TK-17 an invoice gets %s", (_name, given, fields) => {
  expect(findFields(...given)).toEqual(fields);
});
