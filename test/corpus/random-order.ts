import type { Partner } from "#features/orders/partners/partner.ts";
import type { Random } from "./random.ts";

export function makeRandomPrice(random: Random): string {
  const cents = 1 + random.upTo(random.chance(0.2) ? 90 : 19_999);
  if (random.chance(0.3))
    return `${cents / 100}${random.upTo(8) + 1}${random.upTo(9)}`.replace(/^(\d+)$/, "$1.07");
  return random.chance(0.5) ? (cents / 100).toFixed(2).replace(/^0/, "") : String(cents / 100);
}

export const makeRandomAmount = (random: Random): string =>
  String(1 + random.upTo(random.chance(0.2) ? 140 : 9));

/** A random 850 of one to eight lines: its number, and its segments between ST and SE. */
export function makeRandomOrder(
  random: Random,
  partner: Partner,
  number: number,
): { poNumber: string; segments: string[] } {
  const count = 1 + random.upTo(7);
  const step = random.pick([1, 10]);
  const lines = Array.from({ length: count }, (_, at) => {
    const quantity = random.chance(0.03) ? "2.5" : makeRandomAmount(random);
    return `PO1*${(at + 1) * step}*${quantity}*EA*${makeRandomPrice(random)}**SK*${1_001_000 + at}*VN*V-${at}`;
  });
  const freight = random.chance(0.5) ? [`SAC*C*D240***${1 + random.upTo(4_999)}**********Freight`] : [];
  const allowance = random.chance(0.5)
    ? [`SAC*A*C000****Z*${random.pick(["1", "2.5", "0.75", "10"])}*****02***Defective allowance`]
    : [];
  const poNumber = String(4_400_000 + number).padStart(10, random.pick(["", "0"]));
  const segments = [
    `BEG*00*DS*${poNumber}**20261201`,
    "CUR*BY*USD",
    `REF*${partner.invoices.vendorReference}*88123`,
    "REF*CO*C-5501",
    "REF*ST*0121",
    ...freight,
    ...allowance,
    random.pick(["ITD*01*3*2**10**30", "ITD*05*3*****60"]),
    "TD5**2*UPSN*ZZ*UPSN_CG",
    "N1*ST*Casey Example",
    "N3*12 Main Street",
    "N4*Reno*NV*89506*US",
    ...lines,
    `CTT*${count}`,
  ];
  return { poNumber, segments };
}
