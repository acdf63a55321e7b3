import { field, has, list, text } from "./fields.ts";
import type { Party, Reference } from "./records.ts";

/** One entry of PaymentInformation, with every payer that it names. */
export type ShipmentCharge = {
  type: string;
  payers: readonly { kind: PayerKind; account: string; postal: string; country: string }[];
};
type PayerKind = "shipper" | "third_party" | "receiver" | "consignee";

export type RequestedPackage = {
  description: string;
  packaging: string;
  weightUnit: string;
  weight: string;
  /** Null when the request has no Dimensions. */
  sides: { unit: string; length: string; width: string; height: string } | null;
  references: readonly Reference[];
  /** Kind of signature; "" for none. */
  signature: string;
  declaredValue: string;
};

/** A party as requested; a phone of null is absent, and differs from an empty one. */
export type RequestedParty = Omit<Party, "phone"> & { phone: string | null; number: string };

/** A ShipmentRequest, parsed without validation. Every absent text is "". */
export type ShipRequest = {
  requestOption: string;
  /** YYMM; 0 when absent. */
  subVersion: number;
  context: string;
  description: string;
  shipper: RequestedParty;
  shipTo: RequestedParty;
  shipFrom: RequestedParty | null;
  residential: boolean;
  hasPayment: boolean;
  charges: readonly ShipmentCharge[];
  asksNegotiated: boolean;
  service: string;
  shipmentDate: string;
  isReturn: boolean;
  references: readonly Reference[];
  packages: readonly RequestedPackage[];
  hasLabelSpecification: boolean;
  label: { format: string; agent: string; height: string; width: string };
};

/** @param body the JSON of the call */
export function readShipRequest(body: unknown): ShipRequest {
  const root = field(body, "ShipmentRequest");
  const shipment = field(root, "Shipment");
  const label = field(root, "LabelSpecification");
  const payment = field(shipment, "PaymentInformation");
  const shipFrom = field(shipment, "ShipFrom");
  return {
    requestOption: text(root, "Request", "RequestOption"),
    subVersion: Number(text(root, "Request", "SubVersion")),
    context: text(root, "Request", "TransactionReference", "CustomerContext"),
    description: text(shipment, "Description"),
    shipper: readParty(field(shipment, "Shipper")),
    shipTo: readParty(field(shipment, "ShipTo")),
    shipFrom: shipFrom === undefined ? null : readParty(shipFrom),
    residential: has(field(shipment, "ShipTo", "Address"), "ResidentialAddressIndicator"),
    hasPayment: payment !== undefined,
    charges: list(field(payment, "ShipmentCharge")).map(readCharge),
    asksNegotiated: has(field(shipment, "ShipmentRatingOptions"), "NegotiatedRatesIndicator"),
    service: text(shipment, "Service", "Code"),
    shipmentDate: text(shipment, "ShipmentDate"),
    isReturn: field(shipment, "ReturnService") !== undefined,
    references: list(field(shipment, "ReferenceNumber")).map(readReference),
    packages: list(field(shipment, "Package")).map(readPackage),
    hasLabelSpecification: label !== undefined,
    label: {
      format: text(label, "LabelImageFormat", "Code"),
      agent: text(label, "HTTPUserAgent"),
      height: text(label, "LabelStockSize", "Height"),
      width: text(label, "LabelStockSize", "Width"),
    },
  };
}

function readParty(party: unknown): RequestedParty {
  const address = field(party, "Address");
  return {
    name: text(party, "Name"),
    attention: text(party, "AttentionName"),
    phone: field(party, "Phone") === undefined ? null : text(party, "Phone", "Number"),
    number: text(party, "ShipperNumber"),
    lines: list(field(address, "AddressLine")).map((line) => (typeof line === "string" ? line : "")),
    city: text(address, "City"),
    state: text(address, "StateProvinceCode"),
    postal: text(address, "PostalCode"),
    country: text(address, "CountryCode"),
  };
}

const PAYERS: readonly (readonly [PayerKind, string])[] = [
  ["shipper", "BillShipper"],
  ["third_party", "BillThirdParty"],
  ["receiver", "BillReceiver"],
];

function readCharge(charge: unknown): ShipmentCharge {
  const named = PAYERS.flatMap(([kind, name]) => {
    const payer = field(charge, name);
    if (payer === undefined) return [];
    const address = field(payer, "Address");
    return [
      {
        kind,
        account: text(payer, "AccountNumber"),
        postal: text(address, "PostalCode"),
        country: text(address, "CountryCode"),
      },
    ];
  });
  const consignee = { kind: "consignee" as const, account: "", postal: "", country: "" };
  return {
    type: text(charge, "Type"),
    payers: has(charge, "ConsigneeBilledIndicator") ? [...named, consignee] : named,
  };
}

const readReference = (reference: unknown): Reference => ({
  code: text(reference, "Code"),
  value: text(reference, "Value"),
  barcode: has(reference, "BarCodeIndicator"),
});

function readPackage(pack: unknown): RequestedPackage {
  const sides = field(pack, "Dimensions");
  const options = field(pack, "PackageServiceOptions");
  return {
    description: text(pack, "Description"),
    packaging: text(pack, "Packaging", "Code"),
    weightUnit: text(pack, "PackageWeight", "UnitOfMeasurement", "Code"),
    weight: text(pack, "PackageWeight", "Weight"),
    sides:
      sides === undefined
        ? null
        : {
            unit: text(sides, "UnitOfMeasurement", "Code"),
            length: text(sides, "Length"),
            width: text(sides, "Width"),
            height: text(sides, "Height"),
          },
    references: list(field(pack, "ReferenceNumber")).map(readReference),
    signature: text(options, "DeliveryConfirmation", "DCISType"),
    declaredValue: text(options, "DeclaredValue", "MonetaryValue"),
  };
}
