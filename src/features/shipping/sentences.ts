import type { OrderLabels } from "#features/shipping/contract.ts";
import { findShipField, type ShipField } from "#integrations/ups/ship-codes.ts";
import type { Cause } from "#platform/writes/evidence.ts";

type Correct = OrderLabels["correct"];

/** Where a user corrects what UPS or our own check refuses. */
const PLACES: readonly [RegExp, Correct][] = [
  [/^shipTo/, "address"],
  [/^packages/, "cartons"],
  [/^(shipper|shipFrom|billing|label)/, "settings"],
  [/^(service|references)/, "order"],
];

const NAMES: readonly [RegExp, string][] = [
  [/^shipTo\.name/, "The ship-to name"],
  [/^shipTo\.attention/, "The attention line"],
  [/^shipTo\.address\.lines/, "The address line"],
  [/^shipTo\.address\.city/, "The city"],
  [/^shipTo\.address\.state/, "The state"],
  [/^shipTo\.address\.zip/, "The ZIP code"],
  [/^shipTo\.address\.country/, "The country"],
  [/^shipTo\.phone/, "The phone number"],
  [/^packages\.\d+\.weightLb/, "The weight"],
  [/^packages\.\d+\.lengthAndGirth/, "Length plus girth"],
  [/^packages\.\d+\.\w+In/, "The longest side"],
  [/^packages\.\d+\.references/, "A reference"],
  [/^billing\.account/, "The retailer's UPS account"],
  [/^billing/, "The ZIP code of the retailer's UPS account"],
  [/^shipper/, "The ship-from address"],
];

const FIELD_PLACES: Readonly<Record<ShipField, Correct>> = {
  ups_account: "account",
  company_address: "settings",
  ship_to: "address",
  warehouse: "settings",
  billing: "settings",
  third_party_account: "settings",
  third_party_zip: "settings",
  service: "order",
  references: "order",
  cartons: "cartons",
  label_settings: "settings",
};

/** The address that UPS has in place of one that it doesn't know. */
export function meantAddress({ code, params }: Cause): OrderLabels["meant"] {
  if (code !== "address_unknown") return null;
  const text = (name: string) => String(params[name] ?? "");
  const lines = text("meant_lines").split("\n").filter(Boolean);
  if (lines.length === 0) return null;
  return { lines, city: text("meant_city"), state: text("meant_state"), zip: text("meant_zip") };
}

/** Why labels were not made, as a sentence for "Upload Error", and where it is corrected. */
export function failure({ code, params }: Cause): { error: string; correct: Correct } {
  const text = (name: string) => String(params[name] ?? "");
  if (code.startsWith("check_")) {
    const field = text("field");
    const carton = /^packages\.(\d+)/.exec(field)?.[1];
    const name = NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? "A field of the order";
    const where = carton === undefined ? "" : ` of carton ${Number(carton) + 1}`;
    return { error: checkSentence(code, `${name}${where}`, params), correct: find(PLACES, field) };
  }
  if (code === "ups_refused") {
    const field = findShipField(text("ups"));
    const isAccount = params["kind"] === "auth";
    return {
      error: `UPS says: ${text("message")} (${text("ups")}). Nothing was bought.`,
      correct: isAccount ? "account" : field === null ? null : FIELD_PLACES[field],
    };
  }
  return (
    SENTENCES[code]?.(text) ?? {
      error: `The labels weren't made (${code}). Nothing was bought.`,
      correct: null,
    }
  );
}

const find = (places: typeof PLACES, field: string): Correct =>
  places.find(([pattern]) => pattern.test(field))?.[1] ?? null;

function checkSentence(code: string, name: string, { found, limit }: Cause["params"]): string {
  if (code === "check_missing") return `${name} is missing.`;
  if (code === "check_too_long") return `${name} is "${found}". UPS accepts at most ${limit} characters.`;
  if (code === "check_too_many") return `${name}: UPS accepts at most ${limit}, and there are ${found}.`;
  if (code === "check_too_large") return `${name} is ${found}. UPS accepts at most ${limit}.`;
  return `${name} is "${found}", which UPS doesn't accept.`;
}

type Sentence = (text: (name: string) => string) => { error: string; correct: Correct };

const SENTENCES: Readonly<Record<string, Sentence>> = {
  canceled: (text) => ({ error: `Canceled by ${text("by")}. Nothing was bought.`, correct: null }),
  new_owner: () => ({ error: "A new owner connected the company. Nothing was bought.", correct: null }),
  no_ship_from: () => ({
    error: "Your ship-from address is missing. Enter it in Settings.",
    correct: "settings",
  }),
  service_unknown: (text) => ({
    error: `The order asks for service "${text("service")}", and we don't know which UPS service that is. Choose one.`,
    correct: "order",
  }),
  address_unknown: (text) => ({
    error: text("meant")
      ? `UPS doesn't recognize ${text("address")}. It may be ${text("meant")}. Nothing was bought: use UPS's address, keep this one, or correct it.`
      : `UPS doesn't recognize ${text("address")}. Nothing was bought: correct the address, or keep this one.`,
    correct: "address",
  }),
  ups_auth: () => ({
    error:
      "UPS no longer accepts the connection to your account. Reconnect it in Settings. Nothing was bought.",
    correct: "account",
  }),
  ups_app: () => ({
    error:
      "UPS isn't accepting our requests at the moment. Our team has been notified. Nothing was bought: start over later.",
    correct: null,
  }),
  ups_waits: () => ({
    error:
      "UPS isn't accepting the login of your UPS account, so these labels are waiting. We'll make them once UPS accepts it again. If this doesn't change, reconnect the account in Settings.",
    correct: "account",
  }),
  ups_network: () => ({
    error: "UPS can't be reached at the moment. Nothing was bought. Start over in a few minutes.",
    correct: null,
  }),
  ups_throttled: () => ({
    error: "UPS is too busy at the moment. Nothing was bought. Start over in a few minutes.",
    correct: null,
  }),
  label_not_given: (text) => ({
    error: `UPS made shipment ${text("shipment")} for this order, but won't give us its label. Enter its tracking number later, or make the labels again and void that shipment at ups.com.`,
    correct: null,
  }),
  other_shipment: (text) => ({
    error: `UPS has shipment ${text("shipment")} for this PO, which isn't in your history here. We won't buy labels until you tell us what it is.`,
    correct: null,
  }),
  other_consignee: (text) => ({
    error: `UPS has shipment ${text("shipment")} for someone else. We won't use its labels until you tell us what it is.`,
    correct: null,
  }),
  other_account: (text) => ({
    error: `UPS account ${text("account")}, for which these labels were requested, isn't connected anymore, so we can't see whether UPS made them. Connect it again in Settings, then make the labels again: any that UPS made are used. If it won't be connected again, void them at ups.com first, or you pay twice.`,
    correct: "account",
  }),
  in_doubt: () => ({
    error:
      "UPS didn't answer, and has no label for this order. Make the labels again, or enter the tracking number if you have one.",
    correct: null,
  }),
  not_searched: () => ({
    error:
      "UPS doesn't say whether it made these labels: our searches for them get no answer. Enter the tracking number if ups.com shows one, or make the labels again: UPS is searched once more before anything is bought.",
    correct: null,
  }),
  abandoned: () => ({ error: "You made the labels again.", correct: null }),
};
