import type { Segment } from "./transaction-set.ts";
import { text } from "./values.ts";

/** An identification of a product: "SK" the buyer's number, "VN" the vendor's, "UP" a UPC. */
export type ProductId = { qualifier: string; value: string };

/** Qualifiers with their values from a place to another. */
export function readPairs(segment: Segment, first: number, last: number): ProductId[] {
  const pairs: ProductId[] = [];
  for (let at = first; at < last && at < segment.length; at += 2) {
    const qualifier = text(segment, at);
    if (qualifier !== "") pairs.push({ qualifier, value: text(segment, at + 1) });
  }
  return pairs;
}
