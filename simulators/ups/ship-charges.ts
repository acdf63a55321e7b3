import { billablePounds, charge, money, priceCents } from "./prices.ts";
import { listIn } from "./replies.ts";
import { SERVICES } from "./services.ts";
import type { RequestedPackage, ShipRequest } from "./ship-request.ts";
import type { Weighed } from "./prices.ts";

type Item = { Code: string; SubType?: string; cents: number };
/** Money of one package, in cents. `options` are what the shipper asked for. */
export type PackageCharges = { base: number; options: number; items: readonly Item[] };

const FUEL = 0.185;
const RESIDENTIAL_CENTS = 610;
const DELIVERY_AREA_CENTS = 420;
const ADDITIONAL_HANDLING_CENTS = 3050;
const LARGE_PACKAGE_CENTS = 13_500;
const SIGNATURE_CENTS: Readonly<Record<string, number>> = { "2": 665, "3": 790 };
/** Three-digit ZIP prefixes far from any building. */
const RURAL = /^(036|059|597|693|821|898|995|996|997|998|999)/;
const NEGOTIATED = 0.8;

export const weigh = ({ weight, sides }: RequestedPackage): Weighed => ({
  weightLb: Number(weight),
  lengthIn: Number(sides?.length ?? 0),
  widthIn: Number(sides?.width ?? 0),
  heightIn: Number(sides?.height ?? 0),
});

/** Whether UPS adds special handling to a package and charges for it, requested or not. */
export function needsHandling({ weightLb, lengthIn, widthIn, heightIn }: Weighed): boolean {
  const [longest = 0, second = 0] = [lengthIn, widthIn, heightIn].sort((a, b) => b - a);
  return weightLb > 50 || longest > 48 || second > 30;
}

function isLarge({ weightLb, lengthIn, widthIn, heightIn }: Weighed): boolean {
  const [longest = 0, second = 0, third = 0] = [lengthIn, widthIn, heightIn].sort((a, b) => b - a);
  const girth = 2 * (second + third);
  return longest > 96 || longest + girth > 130 || longest * second * third > 17_280 || weightLb > 110;
}

/** Prices a package: base and weight, then surcharges; zone and contract play no part. */
export function chargePackage(request: ShipRequest, pack: RequestedPackage): PackageCharges {
  const weighed = weigh(pack);
  const base = Math.round(priceCents(weighed) * (SERVICES[request.service]?.times ?? 1));
  const options = SIGNATURE_CENTS[pack.signature] ?? 0;
  const handling = isLarge(weighed)
    ? [{ Code: "377", cents: LARGE_PACKAGE_CENTS }]
    : needsHandling(weighed)
      ? [{ Code: "100", cents: ADDITIONAL_HANDLING_CENTS }]
      : [];
  const items = [
    ...(request.residential ? [{ Code: "270", cents: RESIDENTIAL_CENTS }] : []),
    ...(RURAL.test(request.shipTo.postal)
      ? [{ Code: "376", SubType: "Rural", cents: DELIVERY_AREA_CENTS }]
      : []),
    ...handling,
    ...(options > 0 ? [{ Code: "120", cents: options }] : []),
  ];
  const fuel = Math.round((base + sumCents(items)) * FUEL);
  return { base, options, items: [{ Code: "375", cents: fuel }, ...items] };
}

const sumCents = (items: readonly Item[]) => items.reduce((sum, { cents }) => sum + cents, 0);
const totalCents = ({ base, items }: PackageCharges) => base + sumCents(items);

/** Charges paid by others are not shown: every amount is 0.00. */
export const hideCharges = ({ items }: PackageCharges): PackageCharges => ({
  base: 0,
  options: 0,
  items: items.map((item) => ({ ...item, cents: 0 })),
});

const itemized = (items: readonly Item[]) =>
  items.map(({ cents, ...item }) => ({ ...item, ...charge(cents) }));

/** Details that a SubVersion adds. */
const shows = (subVersion: number) => ({
  items: subVersion >= 1601,
  perPackage: subVersion >= 1607,
  base: subVersion >= 1701,
});

/** ShipmentCharges, NegotiatedRateCharges and BillingWeight of a shipment. */
export function shipmentCharges(
  request: ShipRequest,
  packages: readonly PackageCharges[],
  { version, negotiated }: { version: string; negotiated: boolean },
) {
  const { subVersion } = request;
  const base = packages.reduce((sum, pack) => sum + pack.base, 0);
  const options = packages.reduce((sum, pack) => sum + pack.options, 0);
  const total = packages.reduce((sum, pack) => sum + totalCents(pack), 0);
  const pounds = request.packages.reduce((sum, pack) => sum + billablePounds(weigh(pack)), 0);
  const items = mergeItems(packages.flatMap((pack) => pack.items));
  return {
    ShipmentCharges: {
      TransportationCharges: charge(total - options),
      ...(shows(subVersion).items ? { ItemizedCharges: listIn(version, itemized(items)) } : {}),
      ServiceOptionsCharges: charge(options),
      TotalCharges: charge(total),
      ...(shows(subVersion).base ? { BaseServiceCharge: charge(base) } : {}),
    },
    ...(negotiated ? { NegotiatedRateCharges: { TotalCharge: charge(total * NEGOTIATED) } } : {}),
    BillingWeight: {
      UnitOfMeasurement: { Code: "LBS", Description: "Pounds" },
      Weight: pounds.toFixed(1),
    },
  };
}

/** One entry per surcharge, over all packages. */
function mergeItems(items: readonly Item[]): Item[] {
  const merged = new Map<string, Item>();
  for (const item of items)
    merged.set(item.Code, { ...item, cents: item.cents + (merged.get(item.Code)?.cents ?? 0) });
  return [...merged.values()];
}

/** Charges of one package in the answer. */
export function packageCharges(
  { subVersion }: ShipRequest,
  charges: PackageCharges,
  { version, negotiated }: { version: string; negotiated: boolean },
) {
  if (!shows(subVersion).perPackage) return { ServiceOptionsCharges: charge(charges.options) };
  return {
    BaseServiceCharge: charge(charges.base),
    ServiceOptionsCharges: charge(charges.options),
    ItemizedCharges: listIn(version, itemized(charges.items)),
    ...(negotiated
      ? {
          NegotiatedCharges: {
            TotalCharge: { CurrencyCode: "USD", MonetaryValue: money(totalCents(charges) * NEGOTIATED) },
          },
        }
      : {}),
  };
}
