import type { ProfileContent } from "#features/labels/profiles/contract.ts";

export type Band = ProfileContent["bands"][number];
export type Zone = Band["zones"][number];
export type ZoneLine = NonNullable<Zone["lines"]>[number];
type Symbol = NonNullable<Zone["symbol"]>;

/** What is put where a line, a zone or a row is added: to be filled by whoever added it. */
export const NEW_LINE: ZoneLine = { text: "{poNumber}", size: 10 };
export const newZone = (letter: Zone["letter"], width: number): Zone => ({
  letter,
  width,
  title: "",
  lines: [NEW_LINE],
});
export const newBand = (before: Band | undefined): Band => ({
  height: 24,
  zones: [newZone(before?.zones.at(-1)?.letter ?? "A", LABEL_WIDTH)],
});

/** Of a bar code that is new in its zone, in points: half an inch and a little more. */
const SYMBOL_HEIGHT = 37;
const LABEL_WIDTH = 288;

/** Bar codes that a zone can be given; that of the SSCC has its place. */
export const SYMBOLS = [
  "postalCode",
  "markFor",
  "poNumber",
  "bol",
] as const satisfies readonly Symbol["of"][];

/** A zone with another bar code, or with none. */
export function withSymbol({ symbol, ...zone }: Zone, of: string): Zone {
  const next = SYMBOLS.find((each) => each === of);
  return next ? { ...zone, symbol: { of: next, height: symbol?.height ?? SYMBOL_HEIGHT } } : zone;
}

/** The zones of a row with one more, which takes half of the last one's width. */
export function splitLast(zones: readonly Zone[]): { zones: Zone[]; added: Zone } | null {
  const last = zones.at(-1);
  if (!last) return null;
  const width = Math.floor(last.width / 2);
  return {
    zones: zones.with(-1, { ...last, width: last.width - width }),
    added: newZone(last.letter, width),
  };
}

/** Gives the width of a zone that went to its neighbor. */
export function widen(zones: readonly Zone[], at: number, width: number): Zone[] {
  const place = Math.max(0, at - 1);
  const neighbor = zones[place];
  return neighbor ? zones.with(place, { ...neighbor, width: neighbor.width + width }) : [...zones];
}

export const hasSscc = ({ zones }: Band): boolean => zones.some(({ symbol }) => symbol?.of === "sscc");
