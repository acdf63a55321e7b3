import { EVENTS, type Step } from "./events.ts";
import { findDelivery, pastSteps, plannedDelivery } from "./journeys.ts";
import type { Package, Shipment } from "./records.ts";
import { findPlace } from "./track-package.ts";
import { localTime } from "./track-time.ts";

type AlertEvent = { shipment: Shipment; pack: Package; step: Step; enhanced: boolean };

/** The body of one event. Absent values are empty texts, and the offset from UTC has a dot. */
export function alertBody({ shipment, pack, step, enhanced }: AlertEvent, noise: boolean): object {
  const { type, code, description, statusCode } = EVENTS[step.event];
  const place = findPlace(shipment, step);
  const at = localTime(step.at, place.state);
  const delivery = findDelivery(pack, step.at);
  const planned = plannedDelivery(pack);
  const delivered = delivery && localTime(delivery.at, shipment.shipTo.state);
  const scheduled = planned ? localTime(planned.at, shipment.shipTo.state).date : "";
  return {
    // One of UPS's samples begins with a blank.
    trackingNumber: `${noise ? " " : ""}${pack.tracking}`,
    localActivityDate: at.date,
    localActivityTime: at.time,
    gmtActivityDate: at.gmtDate,
    gmtActivityTime: at.gmtTime.replaceAll(":", ""),
    gmtOffset: at.gmtOffset.replace(":", "."),
    activityLocation: {
      city: place.city.toUpperCase(),
      stateProvince: place.city === "" ? "" : place.state,
      postalCode: place.postal,
      country: place.country,
    },
    activityStatus: { type, code, description: description.trim(), descriptionCode: statusCode },
    scheduledDeliveryDate: delivered ? "" : scheduled,
    actualDeliveryDate: delivered?.date ?? "",
    actualDeliveryTime: delivered?.time ?? "",
    deliveryStartTime: "",
    deliveryEndTime: "",
    deliveryTimeDescription: delivered ? "" : "End of Day",
    ...(enhanced
      ? { receivedBy: delivered ? shipment.shipTo.name.toUpperCase() : "", deliveryPhoto: "" }
      : {}),
  };
}

/** Events of a package that a subscription gets: those after it began. No history is sent. */
export const newSteps = (pack: Package, { since, now }: { since: number; now: number }): Step[] =>
  pastSteps(pack, now).filter(({ at }) => at > since);
