/** Labels of an upload, first and last included. */
export type LabelRange = { first: number; last: number };

/**
 * Reads "1-20, 35": labels by their places, in the order they are to be printed.
 * @returns the part that is no place of a label, as it was written, where there is one
 */
export function readRanges(text: string, count: number): { ranges: LabelRange[] } | { wrong: string } {
  const ranges: LabelRange[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, from, to] = /^\s*(\d{1,6})\s*(?:[-\u2013]\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < 1 || last < first || last > count) return { wrong: part.trim() };
    ranges.push({ first, last });
  }
  return { ranges: once(ranges) };
}

/** A label that is named twice is printed once, where it is named first. */
function once(ranges: readonly LabelRange[]): LabelRange[] {
  const places = new Set<number>();
  for (const { first, last } of ranges) for (let place = first; place <= last; place += 1) places.add(place);
  return rangesOfPlaces([...places]);
}

/** Neighboring places as ranges, in their order. */
export function rangesOfPlaces(places: readonly number[]): LabelRange[] {
  const ranges: LabelRange[] = [];
  for (const place of places) {
    const before = ranges.at(-1);
    if (before?.last === place - 1) before.last = place;
    else ranges.push({ first: place, last: place });
  }
  return ranges;
}

export const countIn = (ranges: readonly LabelRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
