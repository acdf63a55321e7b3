import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { ordersAccess as access } from "#features/orders/contract.ts";
import * as z from "zod";

export const MAX_CARTONS = 50;

const size = (max: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .gt(0, "must be more than 0")
    .max(max, `must be at most ${max}`)
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, "has more than two decimals");

/** Inches and pounds; numeric text is accepted too. UPS's limit on length and girth together is checked when labels are made. */
export const carton = z.strictObject({
  length: size(108),
  width: size(108),
  height: size(108),
  weight: size(150),
});
export type CartonSize = z.output<typeof carton>;

/** A carton without its contents. */
export const pickSize = ({ length, width, height, weight }: CartonSize): CartonSize => ({
  length,
  width,
  height,
  weight,
});

const pieces = z.strictObject({
  /** Number of a line of the order. */
  line: lineText().min(1).max(40),
  /** Decimal text above 0. */
  quantity: z
    .union([lineText().max(20), z.number()])
    .transform(String)
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0, "must be a number above 0"),
});

export type Pieces = z.output<typeof pieces>;

/** A carton and what is in it; without `contents`, one carton holds all that is left to ship. */
export const packedCarton = carton.extend({ contents: z.array(pieces).min(1).max(200).optional() });
export type Carton = z.output<typeof packedCarton>;

/** Pieces that won't be shipped: canceled once the labels are made, with the company's usual reason. */
export const cancels = z.array(pieces).max(200).default([]);

export const cancelLines = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/open-orders/cancel-lines",
  summary: "Cancels pieces of an open order that won't be shipped, and notifies the retailer",
  body: z.strictObject({
    order_id: z.uuid(),
    lines: z.array(pieces).min(1).max(200),
    /** One of the retailer's reasons; the company's usual one by default. */
    cancel_reason: lineText().max(60).optional(),
  }),
  response: z.object({}),
});

export const setContents = endpoint({
  access,
  method: "PUT",
  path: "/api/v1/labels/ups-label/contents",
  summary: "Saves what is in each carton of labels made without it; the ship notice waits for it",
  body: z.strictObject({
    /** Id of the purchase. */
    id: z.uuid(),
    /** In the order of the cartons: together they hold what the purchase ships. */
    cartons: z
      .array(z.strictObject({ contents: z.array(pieces).min(1).max(200) }))
      .min(1)
      .max(MAX_CARTONS),
  }),
  response: z.object({}),
});
