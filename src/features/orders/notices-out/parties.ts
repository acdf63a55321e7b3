import { findStoreParty } from "#features/orders/rules.ts";
import type { Order } from "#features/orders/types.ts";
import { NO_PARTY, type Party } from "#formats/x12/parts.ts";

/** Cuts a text to what a document's separators and sizes allow. */
export type Plain = (value: string, max: number) => string;

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
