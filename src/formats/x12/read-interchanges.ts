import { isAscii } from "node:buffer";
import { faultAt, type FaultCode, type FaultPlace, type X12Fault } from "./faults.ts";
import { CHUNK_BYTES, MAX_SEGMENT_LENGTH } from "./limits.ts";
import { HEADER_LENGTH, readGroupHeader, readInterchangeHeader } from "./read-header.ts";
import { addSegment, closeSet, openSet, type OpenSet } from "./read-set.ts";
import { classifyCharacters, scanSegment, type CharacterClasses, type Scanned } from "./scan-segment.ts";
import type { GroupHeader, InterchangeHeader, Segment, TransactionSet } from "./transaction-set.ts";

/** Parts of a file in the order in which they end. Only a set with faults is to be refused; other faults are only reported. */
export type X12Part =
  | { kind: "set"; set: TransactionSet }
  | {
      kind: "group";
      interchange: InterchangeHeader;
      group: GroupHeader;
      /** Sets that the trailer counts; null when the trailer is missing or says no number. */
      declared: number | null;
      received: number;
      faults: readonly X12Fault[];
    }
  | {
      kind: "interchange";
      interchange: InterchangeHeader;
      /** TA1: what the receiver of interchanges of ours says of each. */
      answers: readonly Segment[];
      faults: readonly X12Fault[];
    }
  /** Text that belongs to no interchange, or a header that cannot be read: what follows it is passed over. */
  | { kind: "outside"; fault: X12Fault };

/**
 * Reads the interchanges of a file one transaction set after the other and checks envelopes, counts and control numbers.
 * Delimiters are those that each ISA shows. Blanks and line breaks before segments are passed over.
 * @param bytes ASCII, UTF-8 or Windows-1252, recognized for each transaction set by its content
 * @see ASC X12.5, interchange control structures, and X12.6, application control structure
 */
export function* readInterchanges(bytes: Uint8Array): Generator<X12Part> {
  const reader = createReader();
  yield* readBytes(reader, bytes);
  yield* readEnd(reader);
}

/** The same for a file of any size, whose pieces come one after the other and are not kept. */
export async function* readInterchangeStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<X12Part> {
  const reader = createReader();
  for await (const chunk of chunks) yield* readBytes(reader, chunk);
  yield* readEnd(reader);
}

type OpenGroup = { header: GroupHeader; received: number; faults: X12Fault[] };
type OpenInterchange = {
  header: InterchangeHeader;
  classes: CharacterClasses;
  groups: number;
  answers: Segment[];
  faults: X12Fault[];
};

type Reader = {
  /** Bytes that are not read yet, one character each; `at` is the next. */
  text: string;
  at: number;
  /** Some of `text` may be no ASCII. */
  hasLetters: boolean;
  wasHeaderSeen: boolean;
  /** Text outside of interchanges is reported once until the next header. */
  isSkipping: boolean;
  interchange: OpenInterchange | null;
  group: OpenGroup | null;
  set: OpenSet | null;
  parts: X12Part[];
};

const createReader = (): Reader => ({
  text: "",
  at: 0,
  hasLetters: false,
  wasHeaderSeen: false,
  isSkipping: false,
  interchange: null,
  group: null,
  set: null,
  parts: [],
});

function* readBytes(reader: Reader, bytes: Uint8Array): Generator<X12Part> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    const rest = reader.text.slice(reader.at);
    reader.hasLetters = !isAscii(chunk) || (reader.hasLetters && rest !== "");
    reader.text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    reader.at = 0;
    yield* readText(reader, false);
  }
}

function* readEnd(reader: Reader): Generator<X12Part> {
  yield* readText(reader, true);
  if (!reader.wasHeaderSeen) yield { kind: "outside", fault: faultAt("no_interchange", {}) };
}

/** One part after the other: those that wait for their turn would cost memory, and the time to keep them. */
function* readText(reader: Reader, isEnd: boolean): Generator<X12Part> {
  if (reader.set && reader.hasLetters) reader.set.hasLetters = true;
  let isReading = true;
  while (isReading) {
    isReading = reader.interchange ? readSegments(reader, isEnd) : findHeader(reader, isEnd);
    if (reader.parts.length === 0) continue;
    const { parts } = reader;
    reader.parts = [];
    yield* parts;
  }
}

/** Text before a header is looked at when there is this much of it, so that a byte order mark is never cut. */
const MIN_OUTSIDE = 256;
const HEADER = /(?<![A-Za-z0-9])ISA(?=[^A-Za-z0-9 \r\n])/g;

/** Blanks that some programs write before the terminator of ISA. */
const MAX_BLANKS = 4;

/** Opens the next interchange. @returns false when more of the file is needed for it */
function findHeader(reader: Reader, isEnd: boolean): boolean {
  const { text, at } = reader;
  HEADER.lastIndex = at;
  const start = HEADER.exec(text)?.index ?? -1;
  if (start < 0) {
    if (!isEnd && text.length - at < MIN_OUTSIDE) return false;
    const end = isEnd ? text.length : text.length - "ISA".length - 1;
    reportOutside(reader, text.slice(at, end));
    reader.at = end;
    return false;
  }
  reportOutside(reader, text.slice(at, start));
  reader.at = start;
  if (!isEnd && text.length - start < HEADER_LENGTH + MAX_BLANKS) return false;
  reader.wasHeaderSeen = true;
  const beforeEnd = start + HEADER_LENGTH - 1;
  const blanks = /^ */.exec(text.slice(beforeEnd, beforeEnd + MAX_BLANKS))?.[0].length ?? 0;
  const header = readInterchangeHeader(text.slice(start, beforeEnd) + text.charAt(beforeEnd + blanks));
  if ("code" in header) {
    reader.parts.push({ kind: "outside", fault: header });
    reader.isSkipping = true;
    reader.at = start + "ISA".length;
    return true;
  }
  reader.isSkipping = false;
  reader.at = start + HEADER_LENGTH + blanks;
  reader.interchange = {
    header,
    classes: classifyCharacters(header.delimiters),
    groups: 0,
    answers: [],
    faults: [],
  };
  return true;
}

/** Blanks, the mark by which programs of DOS end a file, and a byte order mark in its three bytes. */
const BLANK = /^(?:[\s\u001a]|\u00ef\u00bb\u00bf)*$/;

function reportOutside(reader: Reader, text: string): void {
  if (reader.isSkipping || BLANK.test(text)) return;
  reader.isSkipping = true;
  reader.parts.push({ kind: "outside", fault: faultAt("outside_interchange", { value: text.trim() }) });
}

/** Reads segments to the end of the next part. @returns false when more of the file is needed */
function readSegments(reader: Reader, isEnd: boolean): boolean {
  const { text } = reader;
  while (reader.interchange && reader.parts.length === 0) {
    const { classes } = reader.interchange;
    let from = reader.at;
    while (isBlank(text.charCodeAt(from))) from += 1;
    reader.at = from;
    if (beginsHeader(text, from)) {
      closeInterchange(reader, null);
      return true;
    }
    const segment = scanSegment(text, from, classes);
    if (segment.end < 0 && !isEnd && text.length - from <= MAX_SEGMENT_LENGTH) return false;
    // The terminator after the last segment of a file is often left out.
    const isWhole = segment.end >= 0 || (isEnd && segment.elements[0] === "IEA");
    if (!isWhole || segment.end - from > MAX_SEGMENT_LENGTH) {
      abandon(reader, text.slice(from));
      return true;
    }
    reader.at = segment.end < 0 ? text.length : segment.end + 1;
    takeSegment(reader, segment);
  }
  return true;
}

/** Ends an interchange whose next segment never ends, or isn't a segment. */
function abandon(reader: Reader, rest: string): void {
  const isTorn = rest !== "";
  if (isTorn) reader.interchange?.faults.push(faultHere(reader, "segment_not_ended", { value: rest }));
  closeInterchange(reader, null);
  reader.isSkipping = isTorn;
}

const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 26;

function beginsHeader(text: string, from: number): boolean {
  if (text.charCodeAt(from) !== 73 || !text.startsWith("ISA", from)) return false;
  HEADER.lastIndex = from;
  return HEADER.exec(text)?.index === from;
}

function takeSegment(reader: Reader, { elements: segment, isOdd }: Scanned): void {
  switch (segment[0]) {
    case "ST":
      return startSet(reader, segment);
    case "SE":
      return endSet(reader, segment);
    case "GS":
      return startGroup(reader, segment);
    case "GE":
      return closeGroup(reader, segment);
    case "IEA":
      return closeInterchange(reader, segment);
    default:
  }
  if (reader.set) addSegment(reader.set, segment, isOdd);
  else if (segment[0] === "TA1" && reader.interchange && !reader.group)
    reader.interchange.answers.push(segment);
  else if (reader.group) reportStray(reader.group.faults, "segment_outside_set", reader, segment);
  else if (reader.interchange)
    reportStray(reader.interchange.faults, "segment_outside_group", reader, segment);
}

/** Only the first of its kind: one lost header makes strays of all segments behind it. */
function reportStray(faults: X12Fault[], code: FaultCode, reader: Reader, segment: Segment): void {
  if (faults.some((fault) => fault.code === code)) return;
  faults.push(faultHere(reader, code, { segment: (segment[0] ?? "").slice(0, 3), value: segment.join("*") }));
}

function startSet(reader: Reader, segment: Segment): void {
  const { interchange, group } = reader;
  if (reader.set) endSet(reader, null);
  if (!interchange) return;
  if (!group) return reportStray(interchange.faults, "segment_outside_group", reader, segment);
  group.received += 1;
  reader.set = openSet({
    interchange: interchange.header,
    group: group.header,
    segment,
    hasLetters: reader.hasLetters,
  });
}

/** @param trailer null when it is missing */
function endSet(reader: Reader, trailer: Segment | null): void {
  if (reader.set) {
    reader.parts.push({ kind: "set", set: closeSet(reader.set, trailer) });
    reader.set = null;
  } else if (trailer && reader.group)
    reportStray(reader.group.faults, "segment_outside_set", reader, trailer);
  else if (trailer && reader.interchange)
    reportStray(reader.interchange.faults, "segment_outside_group", reader, trailer);
}

function startGroup(reader: Reader, segment: Segment): void {
  if (!reader.interchange) return;
  if (reader.group) closeGroup(reader, null);
  reader.interchange.groups += 1;
  const faults: X12Fault[] = [];
  const { controlNumber, delimiters } = reader.interchange.header;
  const header = readGroupHeader(segment, delimiters, (element) => {
    const value = segment[element] ?? "";
    faults.push(faultAt("group_header_value", { interchange: controlNumber, segment: "GS", element, value }));
  });
  reader.group = { header, received: 0, faults };
}

/** @param trailer null when it is missing */
function closeGroup(reader: Reader, trailer: Segment | null): void {
  if (reader.set) endSet(reader, null);
  const { interchange, group } = reader;
  if (!interchange) return;
  if (!group) {
    if (trailer) reportStray(interchange.faults, "segment_outside_group", reader, trailer);
    return;
  }
  const { header, received, faults } = group;
  const declared = trailer ? readCount(trailer[1]) : null;
  const add = (code: FaultCode, place: FaultPlace) =>
    faults.push(faultHere(reader, code, { segment: "GE", ...place }));
  if (!trailer) add("group_trailer_missing", {});
  else {
    if (declared !== received)
      add("set_count_differs", { element: 1, value: trailer[1] ?? "", params: { received } });
    if (!isSameNumber(trailer.slice(2).join("*"), header.controlNumber))
      add("group_number_differs", { element: 2, value: trailer.slice(2).join("*") });
  }
  reader.parts.push({
    kind: "group",
    interchange: interchange.header,
    group: header,
    declared,
    received,
    faults,
  });
  reader.group = null;
}

/** @param trailer null when it is missing */
function closeInterchange(reader: Reader, trailer: Segment | null): void {
  if (reader.group) closeGroup(reader, null);
  const { interchange } = reader;
  if (!interchange) return;
  const { header, groups, answers, faults } = interchange;
  const add = (code: FaultCode, place: FaultPlace) =>
    faults.push(faultHere(reader, code, { segment: "IEA", ...place }));
  if (!trailer) add("interchange_trailer_missing", {});
  else {
    if (readCount(trailer[1]) !== groups)
      add("group_count_differs", { element: 1, value: trailer[1] ?? "", params: { received: groups } });
    if (!isSameNumber(trailer.slice(2).join("*"), header.controlNumber))
      add("interchange_number_differs", { element: 2, value: trailer.slice(2).join("*") });
  }
  reader.parts.push({ kind: "interchange", interchange: header, answers, faults });
  reader.interchange = null;
}

const faultHere = ({ interchange, group }: Reader, code: FaultCode, place: FaultPlace): X12Fault =>
  faultAt(code, {
    interchange: interchange?.header.controlNumber ?? "",
    group: group?.header.controlNumber ?? "",
    ...place,
  });

/** @returns null when the element isn't a count */
const readCount = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Control numbers are numbers: zeros before them mean nothing. */
const isSameNumber = (a: string, b: string): boolean =>
  /^\d{1,9}$/.test(a) && /^\d{1,9}$/.test(b) && Number(a) === Number(b);
