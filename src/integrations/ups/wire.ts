import * as z from "zod";

/** Carriage returns were seen within UPS's texts, as themselves and written out. */
const STRAY = /&#(?:x0?[da]|1[03]);|[\r\n]+/gi;

const cleanText = (value: string): string => value.replaceAll(STRAY, " ").replaceAll(/\s+/g, " ").trim();

const cleanCode = (value: string): string => value.replaceAll(STRAY, "").trim();

const loose = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ""));

/** A text, or a number that stands for one; empty if absent. */
export const text = loose.transform(cleanText);

/** A code, number or amount, without what strayed into it. Empty if absent. */
export const code = loose.transform(cleanCode);

/** Lists of one entry are objects below v2403, and were seen so above it; an empty list may be an empty text. */
export const list = <T extends z.ZodType>(entry: T) =>
  z.preprocess(
    (found) =>
      found === undefined || found === null || found === "" ? [] : Array.isArray(found) ? found : [found],
    z.array(entry),
  );

/** Absent, or of a shape that is not UPS's: null. For parts without which an answer is still good. */
export const optional = <T extends z.ZodType>(part: T) =>
  part
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);

const capitals = code.transform((value) => value.toUpperCase());

/** Number that Ship gives to a package, and by its first one to a shipment. */
export const packageNumber = capitals.pipe(z.string().regex(/^1Z[0-9A-Z]{16}$/));

/** Number of a package, which may be of another carrier that has a part in it. */
export const trackingNumber = capitals.pipe(z.string().regex(/^[0-9A-Z]{7,34}$/));

/** Bytes in base64, at least one. */
export const base64 = code.pipe(z.base64().min(1)).transform((value) => Buffer.from(value, "base64"));

/** Amount as a decimal text of two digits or more after the point. */
export type Charge = { total: string; currency: string };

export const charge = optional(
  z
    .object({ CurrencyCode: code, MonetaryValue: code.pipe(z.string().regex(/^\d+(\.\d+)?$/)) })
    .transform(({ CurrencyCode, MonetaryValue }): Charge => {
      const [whole = "", cents = ""] = MonetaryValue.split(".");
      return { total: `${whole}.${cents.padEnd(2, "0")}`, currency: CurrencyCode };
    }),
);

export type LabelFormat = "GIF" | "PNG" | "ZPL" | "PDF";

/** Label as it came, named by its first bytes: UPS writes its formats in either case, and sends others than were asked for. */
export type LabelImage = { format: LabelFormat; bytes: Buffer };

const MAGIC: readonly [LabelFormat, RegExp][] = [
  ["GIF", /^GIF8[79]a/],
  ["PNG", /^\u0089PNG\r\n/],
  ["PDF", /^%PDF-/],
  ["ZPL", /^\s*[\^~]/],
];

export const labelImage = base64.transform((bytes, context): LabelImage => {
  const start = bytes.toString("latin1", 0, 16);
  const format = MAGIC.find(([, magic]) => magic.test(start))?.[0];
  if (format) return { format, bytes };
  context.addIssue("not a label");
  return z.NEVER;
});
