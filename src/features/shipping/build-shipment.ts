import type { Carton, CarrierSettings } from "#features/shipping/contract.ts";
import type { Order, Partner } from "#features/orders/index.ts";
import { checkShipment, type ShipmentProblem } from "#integrations/ups/check-shipment.ts";
import type { Billing, Shipment } from "#integrations/ups/shipment.ts";
import { findServiceName } from "#integrations/ups/service-names.ts";
import type { Cause } from "#platform/writes/evidence.ts";

/** UPS's service for an order: the retailer's code in UPS's terms. */
export const serviceFor = (partner: Partner, { serviceCode }: Order): string =>
  partner.services[serviceCode] ?? (serviceCode === "" ? partner.defaultService : "");

type Parts = {
  order: Order;
  partner: Partner;
  settings: CarrierSettings;
  account: string;
  /** UPS's service that a user chose; used if none is known for the retailer's code. */
  chosenService: string | null;
  /** The purchase's own. */
  reference: string;
  cartons: readonly Carton[];
};

/**
 * The shipment of an order. Its number and the purchase's own are references of every package, always: by them a label is found
 * again whose answer was lost. UPS takes no third one.
 * @returns the reason when UPS would refuse it; nothing is cut to fit
 */
export function buildShipment(parts: Parts): { shipment: Shipment } | { cause: Cause } {
  const { order, partner, settings, account, chosenService, reference, cartons } = parts;
  const { ship_from: from } = settings;
  if (!from) return { cause: { code: "no_ship_from", params: {}, tid: null } };
  const service = serviceFor(partner, order) || chosenService;
  if (!service || findServiceName(service) === undefined)
    return {
      cause: { code: "service_unknown", params: { service: order.serviceCode }, tid: null },
    };
  const { name, attention, lines, city, state, zip, country, phone } = order.shipTo;
  const references = [
    { code: "PO", value: order.poNumber },
    { code: "TN", value: reference },
  ];
  const shipment: Shipment = {
    shipper: {
      name: from.name,
      account,
      ...(from.phone && { phone: from.phone }),
      address: { lines: [from.line], city: from.city, state: from.state, zip: from.zip, country: "US" },
    },
    shipTo: {
      name,
      ...(attention && { attention }),
      ...(phone && { phone }),
      isResidential: true,
      address: { lines, city, state, zip, country },
    },
    ...(order.isSignatureRequired && { needsSignature: true }),
    service,
    billing: toBilling(settings),
    packages: cartons.map(({ length, width, height, weight }) => ({
      lengthIn: length,
      widthIn: width,
      heightIn: height,
      weightLb: weight,
      references,
    })),
    label: settings.label_format === "zpl" ? "ZPL" : "GIF",
  };
  const [problem] = checkShipment(shipment);
  return problem ? { cause: toCause(problem) } : { shipment };
}

const toBilling = ({ billing, billing_account: account, billing_zip: zip }: CarrierSettings): Billing =>
  billing === "third_party" ? { mode: "third_party", account, zip, country: "US" } : { mode: "shipper" };

const toCause = ({ code, field, found, limit }: ShipmentProblem): Cause => ({
  code: `check_${code}`,
  params: { field, found, limit },
  tid: null,
});
