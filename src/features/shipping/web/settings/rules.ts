import type { CarrierSettings } from "#features/shipping/contract.ts";
import {
  type CartonText,
  newCarton,
  readCartons,
  toText,
} from "#features/shipping/web/shipment/rules-cartons.ts";

export type ShipFrom = NonNullable<CarrierSettings["ship_from"]>;
export type PresetText = { name: string; carton: CartonText };

/** Settings as typed. */
export type EditedSettings = Omit<CarrierSettings, "ship_from" | "presets"> & {
  ship_from: ShipFrom;
  presets: readonly PresetText[];
};

const BLANK: ShipFrom = { name: "", phone: "", line: "", city: "", state: "", zip: "" };

export const newPreset = (): PresetText => ({ name: "", carton: newCarton() });

export const toEdited = (settings: CarrierSettings): EditedSettings => ({
  ship_from: settings.ship_from ?? BLANK,
  label_format: settings.label_format,
  slip_paper: settings.slip_paper,
  billing: settings.billing,
  billing_account: settings.billing_account,
  billing_zip: settings.billing_zip,
  vendor_number: settings.vendor_number,
  cancel_reason: settings.cancel_reason,
  presets: settings.presets.map(({ name, carton }) => ({ name, carton: toText(carton) })),
});

export type SettingsFault = "address" | "account" | "zip" | "preset" | "names";

/** Reads typed settings: what is sent, or what is wrong. */
export function readSettings(edited: EditedSettings): CarrierSettings | SettingsFault {
  const shipFrom = readShipFrom(edited.ship_from);
  if (shipFrom === "wrong") return "address";
  const account = edited.billing_account.trim().toUpperCase();
  const zip = edited.billing_zip.trim();
  if (edited.billing === "third_party") {
    if (!/^[0-9A-Z]{6}$/.test(account)) return "account";
    if (!isZip(zip)) return "zip";
  }
  const presets = readPresets(edited.presets);
  if (typeof presets === "string") return presets;
  return {
    ...edited,
    ship_from: shipFrom,
    billing_account: account,
    billing_zip: zip,
    vendor_number: edited.vendor_number.trim(),
    presets,
  };
}

function readPresets(typed: readonly PresetText[]): CarrierSettings["presets"] | "preset" | "names" {
  const presets = typed.flatMap(({ name, carton }) =>
    (readCartons([carton]) ?? []).map((read) => ({ name: name.trim(), carton: read })),
  );
  if (presets.length < typed.length || presets.some(({ name }) => name === "")) return "preset";
  return new Set(presets.map(({ name }) => name)).size < presets.length ? "names" : presets;
}

function readShipFrom(typed: ShipFrom): ShipFrom | null | "wrong" {
  const parts = Object.fromEntries(
    Object.entries(typed).map(([part, text]) => [part, text.trim()]),
  ) as ShipFrom;
  if (Object.values(parts).every((text) => text === "")) return null;
  const isWhole = [parts.name, parts.line, parts.city].every((text) => text !== "");
  const state = parts.state.toUpperCase();
  return isWhole && /^[A-Z]{2}$/.test(state) && isZip(parts.zip) ? { ...parts, state } : "wrong";
}

const isZip = (text: string) => /^\d{5}(-?\d{4})?$/.test(text);
