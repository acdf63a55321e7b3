import { addDecimals } from "./decimals.ts";
import { checkTotals } from "./line-count.ts";
import { NotWritable } from "./not-writable.ts";
import { readPairs, type ProductId } from "./pairs.ts";
import { defineLoop, readLoops, type Loop, type LoopRules } from "./read-loops.ts";
import type { ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import * as values from "./values.ts";
import type { SetBody } from "./write-interchange.ts";

/** A field of a document: the places of a segment where it occurs, and how it is read and written. */
export type Element<Value> = {
  places: readonly number[];
  read(segment: Segment): Value;
  write(value: Value, segment: string[]): void;
};

/** Text as it was sent, without blanks at its end; empty when it is absent. */
export const textAt = (place: number): Element<string> => ({
  places: [place],
  read: (segment) => values.text(segment, place),
  write: (value, segment) => void (segment[place] = value),
});

/** A day as YYYY-MM-DD; empty when it is absent. */
export const dateAt = (place: number): Element<string> => ({
  places: [place],
  read: (segment) => values.date(segment, place),
  write: (value, segment) => void (segment[place] = values.writeDate(value)),
});

/** HHMM or longer. */
export const timeAt = (place: number): Element<string> => ({
  ...textAt(place),
  write: (value, segment) => void (segment[place] = values.writeTime(value)),
});

/** A whole number, or money with two implied decimals in cents; null when it is absent. */
export const wholeAt = (place: number): Element<number | null> => ({
  places: [place],
  read: (segment) => values.wholeNumber(segment, place),
  write: (value, segment) => void (segment[place] = values.writeWhole(value)),
});

/** A whole number that is always present. */
export const countAt = (place: number): Element<number> => ({
  places: [place],
  read: (segment) => values.wholeNumber(segment, place) ?? 0,
  write: (value, segment) => void (segment[place] = values.writeWhole(value)),
});

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Qualifiers with their values from a place to another. */
export const pairsFrom = (first: number, last: number): Element<readonly ProductId[]> => ({
  places: range(first, last),
  read: (segment) => readPairs(segment, first, last),
  write: (pairs, segment) =>
    pairs.forEach(({ qualifier, value }, at) => {
      segment[first + 2 * at] = qualifier;
      segment[first + 2 * at + 1] = value;
    }),
});

/** Values of one kind from a place to another. */
export const listFrom = (first: number, last: number): Element<readonly string[]> => ({
  places: range(first, last),
  read: (segment) =>
    range(first, Math.min(last, segment.length - 1))
      .map((place) => values.text(segment, place))
      .filter((value) => value !== ""),
  write: (list, segment) => list.forEach((value, at) => void (segment[first + at] = value)),
});

/** A segment as a document has it. */
export type SegmentDescription<Value> = {
  name: string;
  read(segment: Segment): Value;
  write(value: Value): Segment;
};

/** Places of segments that some field has. */
const FIELD_PLACES = new Map<string, number>();

/** Describes a segment by its fields. */
export function segment<const Elements extends Readonly<Record<string, Element<unknown>>>>(
  name: string,
  elements: Elements,
) {
  type Value = { [Key in keyof Elements]: Elements[Key] extends Element<infer Field> ? Field : never };
  const fields = Object.entries(elements);
  const places = fields.flatMap(([, element]) => element.places);
  FIELD_PLACES.set(
    name,
    places.reduce((mask, place) => mask | (1 << place), FIELD_PLACES.get(name) ?? 0),
  );
  const length = Math.max(0, ...places) + 1;
  const description: SegmentDescription<Value> = {
    name,
    read: (found) => {
      const value: Record<string, unknown> = {};
      for (const [key, element] of fields) value[key] = element.read(found);
      return value as Value;
    },
    write: (value) => {
      const written = [name];
      while (written.length < length) written.push("");
      for (const [key, element] of fields) element.write(value[key as keyof Value], written);
      return written;
    },
  };
  return description;
}

/** Whether a segment has an element that no field reads. Segments that no document describes have none. */
export function holdsMore(found: Segment): boolean {
  const mask = FIELD_PLACES.get(found[0] ?? "");
  if (mask === undefined) return false;
  for (let at = found.length - 1; at > 0; at -= 1)
    if ((mask & (1 << at)) === 0 && found[at] !== "") return true;
  return false;
}

/** A part of a loop: the fields that it gives, and the segments or inner loops that they are read from. */
export type Part<Value extends object> = {
  segments: readonly string[];
  loops: readonly LoopRules[];
  /** @param unused takes the segments that no field has */
  read(loop: Loop, unused: Segment[]): Value;
  write(value: Value): readonly Segment[];
};

type Merge<Parts> = Parts extends readonly [Part<infer First>, ...infer Rest] ? First & Merge<Rest> : unknown;
type Keyed<Key extends string, Value> = { [Name in Key]: Value };

/** TypeScript takes the name of a computed key for any text. */
export const keyed = <Key extends string, Value>(key: Key, value: Value) =>
  ({ [key]: value }) as unknown as Keyed<Key, Value>;

/** Fields of a segment that occurs at most once; it is not written without any value. */
export const once = <Value extends object>(description: SegmentDescription<Value>): Part<Value> => ({
  segments: [description.name],
  loops: [],
  read: ({ segments }) => description.read(segments.find(([name]) => name === description.name) ?? []),
  write: (value) => unlessEmpty(description.write(value)),
});

const unlessEmpty = (written: Segment): Segment[] =>
  written.some((element, at) => at > 0 && element !== "") ? [written] : [];

/** The segments of a name. */
export const every = <Key extends string, Value>(
  key: Key,
  description: SegmentDescription<Value>,
): Part<Keyed<Key, readonly Value[]>> => ({
  segments: [description.name],
  loops: [],
  read: ({ segments }) => {
    const found: Value[] = [];
    for (const each of segments) if (each[0] === description.name) found.push(description.read(each));
    return keyed(key, found);
  },
  write: (value) => value[key].map(description.write),
});

/** A document, line or level with the segments that are allowed there and no field has, or not all of; they are not written. */
export type WithUnused<Value> = Value & { unused: readonly Segment[] };

/** The document, loop or segment that a description is of. */
export type DescribedBy<Description extends { write(value: never): unknown }> = Parameters<
  Description["write"]
>[0];

/** A loop as a document has it. */
export type LoopDescription<Value> = {
  rules: LoopRules;
  read(loop: Loop, unused: Segment[]): Value;
  write(value: Value): Segment[];
};

/**
 * Describes a loop by its parts, in the order in which they are written.
 * @param rules its segments by the words of `defineLoop`
 * @param others loops inside it that no field has
 */
export function loop<const Parts extends readonly Part<object>[]>(
  rules: string,
  parts: Parts,
  {
    others = [],
    ...placing
  }: { others?: readonly LoopRules[]; stage?: number; isRequired?: boolean; isSet?: boolean } = {},
): LoopDescription<Merge<Parts>> {
  const known = new Set(parts.flatMap((part) => part.segments));
  const inner = parts.flatMap((part) => part.loops);
  const knownLoops = new Set(inner.map(({ start }) => start));
  return {
    rules: defineLoop(rules, [...inner, ...others], placing),
    read: (found, unused) => {
      const value = {};
      for (const part of parts) Object.assign(value, part.read(found, unused));
      for (const each of found.segments) if (!known.has(each[0] ?? "")) unused.push(each);
      for (const each of found.loops) if (!knownLoops.has(each.name)) addSegments(each, unused);
      return value as Merge<Parts>;
    },
    write: (value) => parts.flatMap((part) => part.write(value as object)),
  };
}

function addSegments(from: Loop, to: Segment[]): void {
  to.push(...from.segments);
  for (const each of from.loops) addSegments(each, to);
}

/** The loops of a kind; what no field of theirs has is unused in the loop around them. */
export const loops = <Key extends string, Value>(
  key: Key,
  { rules, read, write }: LoopDescription<Value>,
): Part<Keyed<Key, readonly Value[]>> => ({
  segments: [],
  loops: [rules],
  read: (found, unused) => {
    const values: Value[] = [];
    for (const each of found.loops) if (each.name === rules.start) values.push(read(each, unused));
    return keyed(key, values);
  },
  write: (value) => value[key].flatMap((each) => write(each)),
});

/** The same with what is unused in each. */
export const lines = <Key extends string, Value extends object>(
  key: Key,
  { rules, read, write }: LoopDescription<Value>,
): Part<Keyed<Key, readonly WithUnused<Value>[]>> =>
  loops<Key, WithUnused<Value>>(key, {
    rules,
    read: (found) => {
      const unused: Segment[] = [];
      return { ...read(found, unused), unused };
    },
    write,
  });

/** Fields of a segment that occurs once after loops, or right behind them; `!` refuses a set without it. */
export const behind = <Value extends object>(
  description: SegmentDescription<Value>,
  { isRequired = false } = {},
): Part<Value> => ({
  segments: [],
  loops: [defineLoop(description.name, [], { stage: 1, isRequired })],
  read: (found) =>
    description.read(found.loops.find(({ name }) => name === description.name)?.segments[0] ?? []),
  write: (value) => unlessEmpty(description.write(value)),
});

/** The same for segments that may occur there more often. @param stage 0 behind loops of a heading, 1 behind those of lines */
export const everyBehind = <Key extends string, Value>(
  key: Key,
  { name, read, write }: SegmentDescription<Value>,
  { stage = 1 } = {},
): Part<Keyed<Key, readonly Value[]>> => ({
  segments: [],
  loops: [defineLoop(name, [], { stage })],
  read: (found) => {
    const values: Value[] = [];
    for (const each of found.loops) if (each.name === name) values.push(read(each.segments[0] ?? []));
    return keyed(key, values);
  },
  write: (value) => value[key].map(write),
});

/** The counts of a set in CTT. */
type Totals = {
  /** Loop whose number it counts, and the place of the quantity in its first segment. */
  of: string;
  quantity: number | null;
  /** Whether the sum of the quantities is written. */
  isSummed?: boolean;
};

/** A transaction set as data: reads one whole or says every reason to refuse it, and writes its segments between ST and SE. */
export type SetDescription<Value> = {
  read(set: TransactionSet): ReadDocument<WithUnused<Value>>;
  write(value: WithUnused<Value>): SetBody;
};

/** @param rules of the set itself, by the words of `defineLoop` */
export function transactionSet<const Parts extends readonly Part<object>[]>(
  type: SetBody["type"],
  rules: string,
  parts: Parts,
  { totals, others = [] }: { totals?: Totals; others?: readonly LoopRules[] } = {},
): SetDescription<Merge<Parts>> {
  const ctt = totals ? [defineLoop("CTT AMT", [], { stage: 2 })] : [];
  const description = loop(rules, parts, { isSet: true, others: [...others, ...ctt] });
  return {
    read: (set) => {
      const { root, faults, partial } = readLoops(set, description.rules, holdsMore);
      if (faults.length > 0) return { faults };
      const wrong = totals ? checkCounts(set, root, totals) : [];
      if (wrong.length > 0) return { faults: wrong };
      const found = root.loops.findIndex(({ name }) => name === "CTT");
      const [last] = found === -1 ? [] : root.loops.splice(found, 1);
      const unused: Segment[] = [];
      const document = description.read(root, unused) as Merge<Parts> & object;
      unused.push(...(last?.segments.slice(1) ?? []), ...partial);
      return { document: { ...document, unused } };
    },
    write: (value) => {
      const segments = description.write(value);
      if (totals) segments.push(writeCounts(segments, totals));
      const missing = description.rules.required.find((start) => !segments.some(([name]) => name === start));
      if (missing !== undefined) throw new NotWritable("segment_missing", { segment: missing });
      return { type, segments };
    },
  };
}

function checkCounts(set: TransactionSet, root: Loop, { of, quantity }: Totals) {
  const ctt = root.loops.find(({ name }) => name === "CTT");
  if (!ctt) return [];
  const counted = root.loops.filter(({ name }) => name === of);
  const quantities = () =>
    quantity === null
      ? null
      : counted.flatMap(({ segments: [first = []] }) => values.text(first, quantity) || []);
  return checkTotals(set, ctt, { counted: counted.length, quantities });
}

function writeCounts(segments: readonly Segment[], { of, quantity, isSummed = false }: Totals): Segment {
  const counted = segments.filter(([name]) => name === of);
  const sum = isSummed && quantity !== null ? addDecimals(counted.map((each) => each[quantity] ?? "0")) : "";
  return ["CTT", String(counted.length), sum];
}
