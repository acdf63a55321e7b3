/** The facts of a package that determine its price: pounds and inches. */
export type Weighed = { weightLb: number; lengthIn: number; widthIn: number; heightIn: number };

const DIVISOR = 139;
const BASE_CENTS = 950;
const CENTS_PER_LB = 62;

/** Billable pounds: the greater of actual and dimensional weight, rounded up. */
export const billablePounds = ({ weightLb, lengthIn, widthIn, heightIn }: Weighed): number =>
  Math.ceil(Math.max(weightLb, (lengthIn * widthIn * heightIn) / DIVISOR));

/** Transportation of a package in cents, whatever the distance; 0 when it weighs nothing. */
export function priceCents(pack: Weighed): number {
  const pounds = billablePounds(pack);
  return pounds > 0 ? BASE_CENTS + pounds * CENTS_PER_LB : 0;
}

/** An amount as UPS writes it, such as "12.50". */
export const money = (cents: number): string => (Math.round(cents) / 100).toFixed(2);

export const charge = (cents: number) => ({ CurrencyCode: "USD", MonetaryValue: money(cents) });
