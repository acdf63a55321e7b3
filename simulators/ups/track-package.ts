import { EVENTS, type Step } from "./events.ts";
import { findDelivery, pastSteps, plannedDelivery } from "./journeys.ts";
import { deliveryPage, signaturePicture } from "./delivery-proof.ts";
import type { Package, Shipment } from "./records.ts";
import { SERVICES } from "./services.ts";
import type { Settings } from "./settings.ts";
import { HUB, localTime, type Place } from "./track-time.ts";

export type TrackOptions = { signature: boolean; pod: boolean; milestones: boolean };
type Shown = {
  shipment: Shipment;
  pack: Package;
  now: number;
  asked: TrackOptions;
  /** Whether the login has a relation to the package: only then is there a proof of delivery. */
  related: boolean;
  settings: Pick<Settings, "proofDelayMs" | "signature">;
};

/** One entry of `package` in a tracking answer. */
export function shownPackage(shown: Shown): object {
  const { shipment, pack, now } = shown;
  const activity = pastSteps(pack, now)
    .toReversed()
    .map((step) => shownActivity(shipment, step));
  const [latest] = activity;
  return {
    trackingNumber: pack.tracking,
    deliveryDate: deliveryDates(shown),
    ...deliveryTime(shown),
    ...accessPoint(shown),
    activity,
    // Live answers have the three-digit code here, and no type.
    currentStatus: { description: latest?.status.description ?? "", code: latest?.status.statusCode ?? "" },
    packageCount: shipment.packageCount,
    packageAddress: [
      { type: "ORIGIN", address: address(shipment.shipFrom) },
      { type: "DESTINATION", address: address(shipment.shipTo) },
    ],
    weight: { unitOfMeasurement: "LBS", weight: pack.weightLb.toFixed(2) },
    service: {
      code: shipment.service,
      levelCode: shipment.service.padStart(3, "0"),
      description: `${SERVICES[shipment.service]?.name ?? ""} `,
    },
    referenceNumber: pack.references.map(({ code, value }) => ({ type: "PACKAGE", code, number: value })),
    dimension: {
      length: String(pack.lengthIn),
      width: String(pack.widthIn),
      height: String(pack.heightIn),
      unitOfDimension: "INCHES",
    },
    ...(shown.asked.milestones ? { milestones: milestones(shown) } : {}),
    ...deliveryInformation(shown),
  };
}

const address = ({ city, state, postal, country }: Place) => ({
  city: city.toUpperCase(),
  stateProvince: state,
  postalCode: postal,
  country,
  countryCode: country,
});

/** Where a step of a shipment happens. */
export function findPlace({ shipFrom, shipTo }: Shipment, { event }: Step): Place {
  const { place } = EVENTS[event];
  if (place === "hub") return HUB;
  if (place === "destination") return shipTo;
  return place === "origin"
    ? shipFrom
    : { city: "", state: shipFrom.state, postal: "", country: shipFrom.country };
}

function shownActivity(shipment: Shipment, step: Step) {
  const place = findPlace(shipment, step);
  const { type, code, statusCode, description } = EVENTS[step.event];
  const bare = place.city === "";
  return {
    location: {
      address: bare ? { country: place.country, countryCode: place.country } : address(place),
      ...(bare ? {} : { slic: place.postal.slice(0, 4) }),
    },
    status: { type, code, description, statusCode, simplifiedTextDescription: description.trim() },
    ...localTime(step.at, place.state),
    logicalScan: type === "M" || type === "MV",
  };
}

function deliveryDates({ shipment, pack, now }: Shown): object[] {
  const { state } = shipment.shipTo;
  const delivery = findDelivery(pack, now);
  if (delivery) return [{ type: "DEL", date: localTime(delivery.at, state).date }];
  const planned = plannedDelivery(pack);
  if (!planned || pack.voidedAt !== null) return [];
  const late = pastSteps(pack, now).some(({ event }) => EVENTS[event].type === "X");
  return [{ type: late ? "RDD" : "SDD", date: localTime(planned.at, state).date }];
}

function deliveryTime({ shipment, pack, now }: Shown): object {
  const delivery = findDelivery(pack, now);
  if (delivery)
    return { deliveryTime: { type: "DEL", endTime: localTime(delivery.at, shipment.shipTo.state).time } };
  if (pastSteps(pack, now).at(-1)?.event === "out_for_delivery")
    return { deliveryTime: { type: "EDW", startTime: "111500", endTime: "151500" } };
  return plannedDelivery(pack) ? { deliveryTime: { type: "EOD", startTime: "", endTime: "" } } : {};
}

/** Days for which an access point keeps a package. */
const KEPT_DAYS = 7;

function accessPoint({ shipment, pack, now }: Shown): object {
  const arrival = pastSteps(pack, now).find(({ event }) => event === "at_access_point");
  if (!arrival || findDelivery(pack, now)) return {};
  const until = localTime(arrival.at + KEPT_DAYS * 24 * 3_600_000, shipment.shipTo.state);
  return { accessPointInformation: { pickupByDate: until.date } };
}

/** Photo flags may appear before a delivery, and there may be no photo even if they say so. */
function deliveryInformation(shown: Shown): object {
  const { shipment, pack, now } = shown;
  const delivery = findDelivery(pack, now);
  const photo =
    pack.scenario === "early_photo"
      ? { deliveryPhoto: { photoCaptureInd: "Y", photoDispositionCode: "V", isNonPostalCodeCountry: false } }
      : {};
  if (!delivery) return pack.scenario === "early_photo" ? { deliveryInformation: photo } : {};
  return {
    deliveryInformation: {
      location: shipment.residential ? "FRONT DOOR" : "RECEIVER",
      receivedBy: shipment.residential ? "DRIVER RELEASE" : shipment.shipTo.name.toUpperCase(),
      ...proof(shown, delivery),
      ...photo,
    },
  };
}

function proof({ shipment, pack, now, asked, related, settings }: Shown, delivery: Step): object {
  if (!related || now < delivery.at + settings.proofDelayMs) return {};
  const base64 = (content: string | Buffer) => Buffer.from(content).toString("base64");
  const { signature } = settings;
  return {
    ...(asked.signature && signature !== "none"
      ? { signature: { image: base64(signaturePicture(pack.tracking, signature)) } }
      : {}),
    ...(asked.pod ? { pod: { content: base64(deliveryPage({ shipment, pack, delivery, now })) } } : {}),
  };
}

const MILESTONES = [
  ["M", "Label Created", "billed"],
  ["P", "We Have Your Package", "origin"],
  ["I", "On the Way", "departed"],
  ["O", "Out for Delivery", "out_for_delivery"],
  ["D", "Delivery", "delivered"],
] as const;

function milestones({ pack, now }: Shown): object[] {
  const reached = pastSteps(pack, now).map(({ event }) => event);
  return MILESTONES.map(([category, description, event]) => ({
    category,
    description,
    code: EVENTS[event].statusCode,
    current: reached.at(-1) === event,
    state: reached.includes(event) ? "Complete" : "Incomplete",
  }));
}
