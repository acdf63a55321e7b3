import * as z from "zod";
import { findDelivery, findTrackState, type TrackState } from "#integrations/ups/track-status.ts";
import { base64, code, list, optional, text, trackingNumber } from "#integrations/ups/wire.ts";

/** Parts that UPS left out are empty. */
export type TrackPlace = { city: string; state: string; zip: string; country: string };

/** A scan, or a change of data. */
export type Activity = {
  /** ISO 8601, null if UPS gives no world time. */
  at: string | null;
  /** At the place of the scan: `YYYY-MM-DD` and `HH:MM:SS`, empty if absent. */
  localDate: string;
  localTime: string;
  place: TrackPlace;
  /** UPS's letters: a code means something only together with its type. */
  type: string;
  code: string;
  statusCode: string;
  description: string;
  state: TrackState | null;
};

export type TrackedPackage = {
  trackingNumber: string;
  /** By the newest activity that says something; null if none does. */
  state: TrackState | null;
  /** Newest first. */
  activities: Activity[];
  /** Days as `YYYY-MM-DD`. */
  deliveredOn: string | null;
  /** The new day if it was rescheduled. */
  scheduledOn: string | null;
  /** Hours of that day at the destination, `HH:MM:SS`, between which it comes; null if UPS names none. */
  window: { from: string; until: string } | null;
  /** The last day on which an access point hands it out. */
  pickupBy: string | null;
  delivery: {
    /** Where it was left, such as FRONT DOOR. */
    location: string;
    receivedBy: string;
    signature: Buffer | null;
    /** HTML of UPS's, with faults: never to be served as it is. */
    proof: Buffer | null;
  } | null;
  service: { code: string; description: string } | null;
  weight: { weight: string; unit: string } | null;
  packageCount: number | null;
  references: { type: string; number: string }[];
  destination: TrackPlace | null;
};

const NOWHERE: TrackPlace = { city: "", state: "", zip: "", country: "" };

const placeAddress = z
  .object({ city: text, stateProvince: code, postalCode: code, countryCode: code, country: code })
  .transform(({ city, stateProvince, postalCode, countryCode, country }): TrackPlace => ({
    city,
    state: stateProvince,
    zip: postalCode,
    country: countryCode || country,
  }));

const place = optional(z.object({ address: placeAddress }));

const status = z.object({ type: code, code, description: text, statusCode: code });
const NO_STATUS: z.output<typeof status> = { type: "", code: "", description: "", statusCode: "" };

const activity = z.object({
  date: code,
  time: code,
  gmtDate: code,
  gmtTime: code,
  location: place,
  status: optional(status),
});

const findDestination = (places: readonly { type: string; address: TrackPlace }[]): TrackPlace | null =>
  places.find(({ type }) => type === "DESTINATION")?.address ?? null;

const deliveryInformation = optional(
  z
    .object({
      location: text,
      receivedBy: text,
      signature: optional(z.object({ image: optional(base64) })),
      pod: optional(z.object({ content: optional(base64) })),
    })
    .transform(({ location, receivedBy, signature, pod }) => ({
      location,
      receivedBy,
      signature: signature?.image ?? null,
      proof: pod?.content ?? null,
    })),
);

const trackedPackage = z
  .object({
    trackingNumber,
    activity: list(activity),
    // In live answers the three digits are in `code`, and there is no type.
    currentStatus: optional(z.object({ type: code, code, statusCode: code })),
    deliveryDate: list(z.object({ type: code, date: code })).catch([]),
    deliveryTime: optional(z.object({ type: code, startTime: code, endTime: code })),
    accessPointInformation: optional(z.object({ pickupByDate: code })),
    deliveryInformation,
    service: optional(z.object({ code, description: text })),
    weight: optional(z.object({ weight: code, unitOfMeasurement: code })),
    packageAddress: list(z.object({ type: code, address: placeAddress })).catch([]),
    packageCount: optional(z.coerce.number().int().positive()),
    referenceNumber: list(z.object({ type: text, number: text })).catch([]),
  })
  .transform((found): TrackedPackage => {
    const activities = found.activity.map(toActivity);
    const findDay = (type: string) =>
      toDay(found.deliveryDate.find((each) => each.type === type)?.date ?? "") || null;
    const dateTypes = found.deliveryDate.map(({ type }) => type);
    const current = found.currentStatus;
    const known =
      activities.find(({ state }) => state)?.state ??
      findTrackState(current?.type ?? "", current?.statusCode || (current?.code ?? ""));
    return {
      trackingNumber: found.trackingNumber,
      state: findDelivery(activities, dateTypes) ?? known,
      activities,
      deliveredOn: findDay("DEL"),
      scheduledOn: findDay("RDD") ?? findDay("SDD"),
      window: findWindow(found.deliveryTime),
      pickupBy: findPickup(found.accessPointInformation),
      delivery: found.deliveryInformation,
      service: found.service,
      weight: found.weight && { weight: found.weight.weight, unit: found.weight.unitOfMeasurement },
      packageCount: found.packageCount,
      references: found.referenceNumber,
      destination: findDestination(found.packageAddress),
    };
  });

export function toActivity({
  date,
  time,
  gmtDate,
  gmtTime,
  location,
  ...found
}: z.output<typeof activity>): Activity {
  const { type, code: letters, description, statusCode } = found.status ?? NO_STATUS;
  return {
    at: toInstant(gmtDate, gmtTime),
    localDate: toDay(date),
    localTime: toClock(time),
    place: location?.address ?? NOWHERE,
    type,
    code: letters,
    statusCode,
    description,
    state: findTrackState(type, statusCode),
  };
}

/** UPS writes days with and without dashes; anything else, such as eight zeros, isn't a day. */
export function toDay(date: string): string {
  const day = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(date)?.slice(1).join("-") ?? "";
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : "";
}

const toClock = (time: string): string =>
  time === "" ? "" : (/^(\d\d):?(\d\d):?(\d\d)$/.exec(time.padStart(6, "0"))?.slice(1).join(":") ?? "");

/** Types of times of a delivery between two hours; the others are the end of the day, or a time that is over. */
const WINDOWS: ReadonlySet<string> = new Set(["EDW", "CDW", "IDW"]);

const findWindow = (time: { type: string; startTime: string; endTime: string } | null) =>
  time && WINDOWS.has(time.type) ? toWindow(time.startTime, time.endTime) : null;

const findPickup = (point: { pickupByDate: string } | null): string | null =>
  point && (toDay(point.pickupByDate) || null);

/** UPS's hours of a delivery; null if it names none. */
export function toWindow(startTime: string, endTime: string): TrackedPackage["window"] {
  const [from, until] = [toClock(startTime), toClock(endTime)];
  return from !== "" && until !== "" ? { from, until } : null;
}

function toInstant(gmtDate: string, gmtTime: string): string | null {
  const at = Date.parse(`${toDay(gmtDate)}T${toClock(gmtTime)}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** Packages of all shipments in an answer, and the codes of its warnings: an unknown number has a warning and no package. */
export const trackAnswer = z
  .object({
    trackResponse: z.object({
      shipment: list(
        z.object({ package: list(trackedPackage), warnings: list(z.object({ code })).catch([]) }),
      ),
    }),
  })
  .transform(({ trackResponse: { shipment } }) => ({
    packages: shipment.flatMap((each) => each.package),
    warnings: shipment.flatMap((each) => each.warnings.map((warning) => warning.code)),
  }));
