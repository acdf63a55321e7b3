import * as z from "zod";
import { API_VERSION } from "#integrations/ups/config.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";
import {
  listReferences,
  takesReferencesByPackage,
  takesSignatureByPackage,
  toDigits,
  toInches,
  toLines,
  toPounds,
  toZip,
  type Address,
  type Billing,
  type Party,
  type Reference,
  type Shipment,
  type ShipmentPackage,
} from "#integrations/ups/shipment.ts";
import {
  charge,
  labelImage,
  list,
  optional,
  packageNumber,
  type Charge,
  type LabelImage,
} from "#integrations/ups/wire.ts";

/** A label takes UPS seconds, two hundred of them most of a minute; giving up earlier would leave a paid label in doubt. */
const TIMEOUT_MS = 60_000;

/** UPS wants the version of its fields as four digits; from 1701 on, charges are itemized by package. */
const SUB_VERSION = "2205";

export type ShippedPackage = { trackingNumber: string; label: LabelImage };

/** Labels as UPS made them, in the order of the packages. */
export type ShipAnswer = {
  /** The first package's number; voids and recoveries ask for it. */
  shipmentId: string;
  packages: ShippedPackage[];
  /** With taxes, where UPS charges them. Zero when a third party pays, which doesn't mean that it is free. */
  charges: Charge | null;
  /** The account's own price, with taxes too. */
  negotiated: Charge | null;
};

/**
 * Buys the labels of a shipment. UPS has no key that would make this safe to repeat: after `uncertain` the labels may exist,
 * and are looked for by a reference before another call.
 * @param shipment without problems by `checkShipment`
 * @throws UpsError
 */
export async function ship(place: UpsPlace, accessToken: string, shipment: Shipment): Promise<ShipAnswer> {
  const call = {
    path: `/api/shipments/${API_VERSION}/ship`,
    authorization: `Bearer ${accessToken}`,
    body: toShipRequest(shipment),
    timeoutMs: TIMEOUT_MS,
  };
  const answer = await exchange(place, call, shipAnswer);
  if (answer.packages.length === shipment.packages.length) return answer;
  throw new UpsError({
    kind: "uncertain",
    http: 200,
    numbers: answer.packages.map(({ trackingNumber }) => trackingNumber),
    message: "an answer without the labels of all packages",
  });
}

/** The body of a Ship call. Flags count as set whatever their value, so those that aren't are left out. */
export function toShipRequest(shipment: Shipment): object {
  const { shipper, shipTo, billing } = shipment;
  const byPackage = takesReferencesByPackage(shipment);
  const { ofPackage, ofShipment } = toSignature(shipment);
  return {
    ShipmentRequest: {
      Request: {
        // The other option refuses a ZIP that doesn't fit the city, which an order's address must be able to have.
        RequestOption: "nonvalidate",
        SubVersion: SUB_VERSION,
      },
      Shipment: {
        Shipper: { ...toParty(shipper), ShipperNumber: shipper.account },
        ShipTo: toShipTo(shipTo),
        PaymentInformation: { ShipmentCharge: [{ Type: "01", ...toPayer(billing, shipper.account) }] },
        ...(billing.mode === "shipper" ? { ShipmentRatingOptions: { NegotiatedRatesIndicator: "Y" } } : {}),
        Service: { Code: shipment.service },
        ...(byPackage ? {} : toReferences(listReferences(shipment))),
        ...ofShipment,
        Package: shipment.packages.map((each) => ({
          ...toPackage(each),
          ...(byPackage ? toReferences(each.references) : {}),
          ...ofPackage,
        })),
      },
      LabelSpecification: {
        LabelImageFormat: { Code: shipment.label },
        HTTPUserAgent: "Mozilla/4.5",
        LabelStockSize: { Height: "6", Width: "4" },
      },
    },
  };
}

/** UPS refuses a US phone of fewer digits, and doesn't need one. */
const MIN_DIGITS = 10;

function toParty({ name, attention, phone = "", address }: Party): object {
  const digits = toDigits(phone);
  return {
    Name: name.trim(),
    ...(attention ? { AttentionName: attention.trim() } : {}),
    ...(digits.length >= MIN_DIGITS ? { Phone: { Number: digits } } : {}),
    Address: toAddress(address),
  };
}

function toShipTo({ isResidential, ...party }: Shipment["shipTo"]): object {
  return {
    ...toParty(party),
    Address: {
      ...toAddress(party.address),
      ...(isResidential ? { ResidentialAddressIndicator: "Y" } : {}),
    },
  };
}

function toAddress(address: Address): object {
  const zip = toZip(address);
  return {
    AddressLine: toLines(address),
    City: address.city.trim(),
    ...(address.state ? { StateProvinceCode: address.state } : {}),
    ...(zip ? { PostalCode: zip } : {}),
    CountryCode: address.country,
  };
}

/** Exactly one payer: UPS refuses a second. */
function toPayer(billing: Billing, shipper: string): object {
  if (billing.mode === "shipper") return { BillShipper: { AccountNumber: shipper } };
  const Address = { PostalCode: toZip(billing), CountryCode: billing.country };
  return { BillThirdParty: { AccountNumber: billing.account, Address } };
}

const toReferences = (references: readonly Reference[]): object =>
  references.length === 0
    ? {}
    : { ReferenceNumber: references.map(({ code, value }) => ({ Code: code, Value: value.trim() })) };

/** A plain signature: UPS's codes differ by level, and the wrong level is refused. */
function toSignature(shipment: Shipment): { ofPackage: object; ofShipment: object } {
  const none = { ofPackage: {}, ofShipment: {} };
  if (!shipment.needsSignature) return none;
  return takesSignatureByPackage(shipment)
    ? { ...none, ofPackage: { PackageServiceOptions: { DeliveryConfirmation: { DCISType: "2" } } } }
    : { ...none, ofShipment: { ShipmentServiceOptions: { DeliveryConfirmation: { DCISType: "1" } } } };
}

function toPackage(each: ShipmentPackage): object {
  const [length, width, height] = toInches(each);
  return {
    Packaging: { Code: "02" },
    Dimensions: {
      UnitOfMeasurement: { Code: "IN" },
      Length: String(length),
      Width: String(width),
      Height: String(height),
    },
    PackageWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: toPounds(each).toFixed(1) },
  };
}

/** Numbers and labels must all be there; without prices an answer is still good. */
export const shipAnswer = z
  .object({
    ShipmentResponse: z.object({
      ShipmentResults: z.object({
        ShipmentIdentificationNumber: packageNumber,
        PackageResults: list(
          z.object({ TrackingNumber: packageNumber, ShippingLabel: z.object({ GraphicImage: labelImage }) }),
        ),
        ShipmentCharges: optional(z.object({ TotalCharges: charge, TotalChargesWithTaxes: charge })),
        NegotiatedRateCharges: optional(z.object({ TotalCharge: charge, TotalChargesWithTaxes: charge })),
      }),
    }),
  })
  .transform(({ ShipmentResponse: { ShipmentResults: results } }): ShipAnswer => ({
    shipmentId: results.ShipmentIdentificationNumber,
    packages: results.PackageResults.map(({ TrackingNumber, ShippingLabel }) => ({
      trackingNumber: TrackingNumber,
      label: ShippingLabel.GraphicImage,
    })),
    charges: results.ShipmentCharges?.TotalChargesWithTaxes ?? results.ShipmentCharges?.TotalCharges ?? null,
    negotiated:
      results.NegotiatedRateCharges?.TotalChargesWithTaxes ??
      results.NegotiatedRateCharges?.TotalCharge ??
      null,
  }));
