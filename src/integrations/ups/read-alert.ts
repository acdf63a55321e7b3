import * as z from "zod";
import {
  toActivity,
  toDay,
  toWindow,
  type Activity,
  type TrackedPackage,
} from "#integrations/ups/track-answer.ts";
import { code, optional, text } from "#integrations/ups/wire.ts";
import { parseJson } from "#platform/parse-json.ts";

/** An event that UPS sends. */
export type Alert = {
  trackingNumber: string;
  activity: Activity;
  /** Days as `YYYY-MM-DD`, null if UPS names none. */
  scheduledOn: string | null;
  deliveredOn: string | null;
  window: TrackedPackage["window"];
};

/** Absent values are empty texts; a sample of UPS's begins with a blank. */
const alert = z.object({
  trackingNumber: code.refine((number) => number !== ""),
  localActivityDate: code,
  localActivityTime: code,
  gmtActivityDate: code,
  gmtActivityTime: code,
  activityLocation: optional(z.object({ city: text, stateProvince: code, postalCode: code, country: code })),
  activityStatus: z.object({ type: code, code, description: text, descriptionCode: code }),
  scheduledDeliveryDate: code,
  actualDeliveryDate: code,
  deliveryStartTime: code,
  deliveryEndTime: code,
});

/** Reads the body of an event of Track Alert. @returns null for anything else */
export function readAlert(body: Buffer): Alert | null {
  const { data } = alert.safeParse(parseJson(body.toString("utf8")));
  if (!data) return null;
  const { type, code: letters, description, descriptionCode } = data.activityStatus;
  const { city = "", stateProvince = "", postalCode = "", country = "" } = data.activityLocation ?? {};
  return {
    trackingNumber: data.trackingNumber,
    activity: toActivity({
      date: data.localActivityDate,
      time: data.localActivityTime,
      gmtDate: data.gmtActivityDate,
      gmtTime: data.gmtActivityTime,
      location: { address: { city, state: stateProvince, zip: postalCode, country } },
      status: { type, code: letters, description, statusCode: descriptionCode },
    }),
    scheduledOn: toDay(data.scheduledDeliveryDate) || null,
    deliveredOn: toDay(data.actualDeliveryDate) || null,
    window: toWindow(data.deliveryStartTime, data.deliveryEndTime),
  };
}
