import { readSettings, toEdited } from "#features/shipping/web/settings/rules.ts";
import { expect, test } from "vitest";

const edited = toEdited({
  ship_from: { name: "Acme", phone: "", line: "1 Dock Rd", city: "Reno", state: "NV", zip: "89506" },
  label_format: "pdf",
  slip_paper: "letter",
  billing: "shipper",
  billing_account: "",
  billing_zip: "",
  vendor_number: "",
  cancel_reason: "",
  presets: [{ name: "Small", carton: { length: 15, width: 13, height: 3, weight: 2 } }],
});
const blank = { name: "", phone: "", line: "", city: "", state: "", zip: "" };
const [small] = edited.presets;

test("typed settings are sent with numbers and in the carrier's format", () => {
  expect(
    readSettings({
      ...edited,
      ship_from: { ...edited.ship_from, state: " nv " },
      billing: "third_party",
      billing_account: "1a2b3c",
      billing_zip: "30301",
    }),
  ).toEqual({
    ...edited,
    ship_from: { ...edited.ship_from, state: "NV" },
    billing: "third_party",
    billing_account: "1A2B3C",
    billing_zip: "30301",
    presets: [{ name: "Small", carton: { length: 15, width: 13, height: 3, weight: 2 } }],
  });
  expect(readSettings({ ...edited, ship_from: blank })).toMatchObject({ ship_from: null });
});

test.each([
  ["address", { ship_from: { ...blank, name: "Acme" } }],
  ["address", { ship_from: { ...edited.ship_from, zip: "8950" } }],
  ["account", { billing: "third_party" as const, billing_account: "12345", billing_zip: "30301" }],
  ["zip", { billing: "third_party" as const, billing_account: "1A2B3C" }],
  ["preset", { presets: [{ ...small!, name: " " }] }],
  ["preset", { presets: [{ ...small!, carton: { ...small!.carton, weight: "151" } }] }],
  ["names", { presets: [small!, { ...small!, name: " Small" }] }],
])("a fault is found before the settings are sent: %s", (fault, part) => {
  expect(readSettings({ ...edited, ...part })).toBe(fault);
});
