/** A street of the simulator's map: house numbers from `first` to `last` exist. */
export type Street = {
  name: string;
  first: number;
  last: number;
  city: string;
  state: string;
  zip: string;
  /** Last four digits of every ZIP code there. */
  extension: string;
  kind: "commercial" | "residential";
};

/** Every address that the simulator knows. */
export const STREETS: readonly Street[] = [
  street("AMPHITHEATRE PKWY", [1, 2000], ["MOUNTAIN VIEW", "CA", "94043"], "commercial"),
  street("DOCK RD", [1, 400], ["MOUNTAIN VIEW", "CA", "94043"], "commercial"),
  street("ELM ST", [1, 999], ["MOUNTAIN VIEW", "CA", "94043"], "residential"),
  street("HARBOR WAY", [1, 900], ["OAKLAND", "CA", "94607"], "commercial"),
  street("PEACHTREE ST NE", [1, 3999], ["ATLANTA", "GA", "30339"], "residential"),
  street("PACES FERRY RD", [2000, 3000], ["ATLANTA", "GA", "30339"], "commercial"),
  street("BROADWAY", [1, 1500], ["NEW YORK", "NY", "10001"], "commercial"),
  street("MAIN ST", [1, 2500], ["SPRINGFIELD", "IL", "62701"], "residential"),
  street("OAK AVE", [1, 900], ["SPRINGFIELD", "IL", "62701"], "residential"),
  street("LAKE SHORE DR", [1, 1200], ["CHICAGO", "IL", "60601"], "residential"),
  street("CONGRESS AVE", [1, 1100], ["AUSTIN", "TX", "73301"], "commercial"),
  street("MAIN ST", [1, 2500], ["RENO", "NV", "89506"], "residential"),
  street("EVERETT ST", [1, 2500], ["PORTLAND", "OR", "97209"], "residential"),
  street("SPEEDWAY BLVD", [1, 4000], ["TUCSON", "AZ", "85719"], "commercial"),
  street("BOND ST", [1, 900], ["BEND", "OR", "97701"], "residential"),
  street("IDAHO ST", [1, 1900], ["BOISE", "ID", "83702"], "residential"),
  street("ELM ST", [1, 2000], ["FARGO", "ND", "58102"], "residential"),
  street("CHERRY ST", [1, 900], ["MACON", "GA", "31201"], "residential"),
  street("PINE ST", [1, 800], ["SEATTLE", "WA", "98101"], "residential"),
];

function street(
  name: string,
  [first, last]: [number, number],
  [city, state, zip]: [string, string, string],
  kind: Street["kind"],
): Street {
  return { name, first, last, city, state, zip, extension: "1234", kind };
}

/** The Postal Service's short forms. */
const SHORT: Readonly<Record<string, string>> = {
  STREET: "ST",
  AVENUE: "AVE",
  ROAD: "RD",
  DRIVE: "DR",
  BOULEVARD: "BLVD",
  LANE: "LN",
  COURT: "CT",
  PARKWAY: "PKWY",
  NORTHEAST: "NE",
  NORTHWEST: "NW",
  SOUTHEAST: "SE",
  SOUTHWEST: "SW",
  APARTMENT: "APT",
};

export type HouseLine = { house: number; street: string; unit: string };

/** Splits a line such as "12 Peachtree Street NE, Apt 4". @returns undefined without a house number */
export function readHouseLine(line: string): HouseLine | undefined {
  const words = line.toUpperCase().replace(/[.,]/g, " ").trim().split(/\s+/);
  const house = Number(/^\d+$/.exec(words[0] ?? "")?.[0]);
  if (!house) return undefined;
  const rest = words.slice(1).map((word) => SHORT[word] ?? word);
  const unitAt = rest.findIndex((word) => /^(APT|UNIT|STE|SUITE|FL|#.*)$/.test(word));
  const end = unitAt < 0 ? rest.length : unitAt;
  return { house, street: rest.slice(0, end).join(" "), unit: rest.slice(end).join(" ") };
}

/** Number of letters to change, add or remove to turn one word into another. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
