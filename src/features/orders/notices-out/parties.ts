import { findStoreParty } from "#features/orders/rules.ts";
import type { Order } from "#features/orders/types.ts";
import type { Delimiters } from "#formats/x12/delimiters.ts";
import { NO_PARTY, type Party } from "#formats/x12/parts.ts";
import { toWritable } from "#formats/x12/write-interchange.ts";

/** Cuts a text to what a document's separators and sizes allow. */
export type Plain = (value: string, max: number) => string;

/** Cuts texts for a document with some delimiters. A character of two units isn't halved: its half can't be written. */
export const plainFor =
  (delimiters: Delimiters): Plain =>
  (value, max) =>
    toWritable(value, delimiters)
      .slice(0, max)
      .replace(/[\uD800-\uDBFF]$/, "")
      .trim();

type Place = {
  name: string;
  lines: readonly string[];
  city: string;
  state: string;
  zip: string;
  country: string;
};

/** A party of a document with its address. */
export const toParty = (
  kind: string,
  { name, lines, city, state, zip, country }: Place,
  plain: Plain,
): Party => ({
  ...NO_PARTY,
  kind,
  name: plain(name, 60),
  address: lines.map((line) => plain(line, 55)).filter(Boolean),
  city: plain(city, 30),
  state,
  postalCode: zip,
  country,
});

/** The consignee, with the number that the order gives it: a PO number may be for hundreds of stores. */
export const toConsignee = (order: Order, plain: Plain): Party => ({
  ...toParty("ST", order.shipTo, plain),
  ...findStoreParty(order),
});
