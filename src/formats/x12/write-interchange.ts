import { checkSegment, withoutBlanks } from "./check-segment.ts";
import { DEFAULT_DELIMITERS, findDelimiterFault, holdsDelimiter, type Delimiters } from "./delimiters.ts";
import { NotWritable } from "./not-writable.ts";
import { HEADER_WIDTHS } from "./read-header.ts";
import { FUNCTIONAL_IDS, type Segment } from "./transaction-set.ts";
import { writeDate, writeTime } from "./values.ts";

/** A transaction set without its ST and SE, as the documents' writers make it. */
export type SetBody = {
  type: "810" | "812" | "820" | "824" | "850" | "855" | "856" | "860" | "864" | "997";
  segments: readonly Segment[];
};

/** Who sends what to whom, and when. The same envelope and documents give the same bytes. */
export type Envelope = {
  senderQualifier: string;
  sender: string;
  receiverQualifier: string;
  receiver: string;
  /** Ids of the groups; empty where they are those of the interchange. */
  groupSender: string;
  groupReceiver: string;
  /** GS08: "004010" or "004060", a trade's subset behind it. */
  version: string;
  /** YYYY-MM-DD and HHMM. */
  date: string;
  time: string;
  /** 1 to 999999999 */
  controlNumber: number;
  isTest: boolean;
  wantsAcknowledgment: boolean;
  delimiters: Delimiters;
  /** Written behind each terminator; readers pass over it. */
  lineBreak: "" | "\n" | "\r\n";
};

/** Sets of one type, with their own control numbers: four to nine characters. */
export type GroupBody = {
  controlNumber: number;
  sets: readonly { controlNumber: string; body: SetBody }[];
};

/** Release 4010 has no repetition separator and writes a U in its place. */
export const DELIMITERS_4010: Delimiters = { ...DEFAULT_DELIMITERS, repetition: null };

/**
 * Writes an interchange; counts, control numbers and lengths of ISA are made here. Empty elements at the end of a segment
 * are left out, blanks at the end of an element too.
 * @returns UTF-8, which is ASCII as long as the texts are
 * @throws NotWritable for a delimiter or control character in a value: X12 knows no way to write one; and for what breaks
 * the rules of its segment
 */
export function writeInterchange(envelope: Envelope, groups: readonly GroupBody[]): Uint8Array {
  const { delimiters, controlNumber } = envelope;
  const bad = findDelimiterFault(delimiters);
  if (bad !== undefined) throw new NotWritable("delimiters_not_usable", { value: bad });
  const number = writeNumber(controlNumber, "ISA").padStart(9, "0");
  const header = writeHeader(envelope, number);
  const end = `${delimiters.segment}${envelope.lineBreak}`;
  let text = `${header}${end}`;
  const add = (segment: Segment) => {
    text += joinSegment(segment, delimiters) + end;
  };
  for (const { controlNumber: groupNumber, sets } of groups) {
    const id = writeNumber(groupNumber, "GS");
    add(writeGroupHeader(envelope, id, sets));
    for (const set of sets) writeSet(set, add);
    add(["GE", String(sets.length), id]);
  }
  add(["IEA", String(groups.length), number]);
  return Buffer.from(text, "utf8");
}

/** Longer than any element of ISA. */
const MISSING = " ".repeat(16);

function writeHeader(envelope: Envelope, number: string): string {
  const { delimiters } = envelope;
  const release = /^(\d{3})(\d{3})/.exec(envelope.version);
  if (!release)
    throw new NotWritable("group_header_value", { segment: "GS", element: 8, value: envelope.version });
  const elements = [
    "00",
    "",
    "00",
    "",
    envelope.senderQualifier,
    envelope.sender,
    envelope.receiverQualifier,
    envelope.receiver,
    writeDate(envelope.date).slice(2) || MISSING,
    writeTime(envelope.time).slice(0, 4) || MISSING,
    delimiters.repetition ?? "U",
    // "00401" for release 004010, "00406" for 004060.
    envelope.version.slice(0, 5),
    number,
    envelope.wantsAcknowledgment ? "1" : "0",
    envelope.isTest ? "T" : "P",
    delimiters.component,
  ];
  const padded = elements.map((value, at) => {
    const width = HEADER_WIDTHS[at] ?? 0;
    const isSeparator = at === 10 || at === 15;
    const isFit =
      value.length <= width && /^[ -~]*$/.test(value) && (isSeparator || !holdsDelimiter(value, delimiters));
    if (!isFit && !isSeparator)
      throw new NotWritable("interchange_header_value", { segment: "ISA", element: at + 1, value });
    return value.padEnd(width);
  });
  return ["ISA", ...padded].join(delimiters.element);
}

function writeGroupHeader(envelope: Envelope, number: string, sets: GroupBody["sets"]): Segment {
  const [first] = sets;
  const type = first?.body.type ?? "";
  const other = sets.find(({ body }) => body.type !== type);
  if (!first || other)
    throw new NotWritable("set_not_of_group", { segment: "ST", element: 1, value: other?.body.type ?? "" });
  return [
    "GS",
    FUNCTIONAL_IDS[type] ?? "",
    envelope.groupSender || envelope.sender,
    envelope.groupReceiver || envelope.receiver,
    writeDate(envelope.date),
    writeTime(envelope.time),
    number,
    "X",
    envelope.version,
  ];
}

function writeSet({ controlNumber, body }: GroupBody["sets"][number], add: (segment: Segment) => void): void {
  if (!/^[!-~]{4,9}$/.test(controlNumber))
    throw new NotWritable("set_header_value", { segment: "ST", element: 2, value: controlNumber });
  add(["ST", body.type, controlNumber]);
  for (const each of body.segments) {
    const segment = withoutEmptyEnd(each);
    checkSegment(segment, null, (code, { element = null, value = "" }) => {
      throw new NotWritable(code, { segment: segment[0] ?? "", element, value });
    });
    add(segment);
  }
  add(["SE", String(body.segments.length + 2), controlNumber]);
}

/** Without blanks at the end of elements, and without elements at the end that are empty. */
function withoutEmptyEnd(segment: Segment): Segment {
  let end = segment.length;
  while (end > 1 && withoutBlanks(segment[end - 1] ?? "") === "") end -= 1;
  const isTrimmed = segment.every((value) => value.charCodeAt(value.length - 1) !== 32);
  if (isTrimmed) return end === segment.length ? segment : segment.slice(0, end);
  return segment.slice(0, end).map(withoutBlanks);
}

function joinSegment(segment: Segment, delimiters: Delimiters): string {
  const text = segment.join(delimiters.element);
  if (isPlain(text, segment.length, delimiters)) return text;
  segment.forEach((value, element) => {
    if (NOT_TEXT.test(value) || holdsDelimiter(value, delimiters))
      throw new NotWritable("character_not_valid", { segment: segment[0] ?? "", element, value });
  });
  return text;
}

/** Whether a segment is printable ASCII without other delimiters than those between its elements: the usual case, at one look. */
function isPlain(
  text: string,
  elements: number,
  { element, component, repetition, segment }: Delimiters,
): boolean {
  const ofElement = element.charCodeAt(0);
  const ofComponent = component.charCodeAt(0);
  const ofSegment = segment.charCodeAt(0);
  const ofRepetition = repetition?.charCodeAt(0) ?? ofSegment;
  let separators = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ofElement) separators += 1;
    else if (code < 32 || code > 126 || code === ofComponent || code === ofSegment || code === ofRepetition)
      return false;
  }
  return separators === elements - 1;
}

/** Control characters, and halves of characters that no encoding has. */
const NOT_TEXT = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

function writeNumber(value: number, segment: string): string {
  if (!Number.isInteger(value) || value < 1 || value > 999_999_999)
    throw new NotWritable("number_not_valid", { segment, value: String(value) });
  return String(value);
}

/**
 * A text that can be written with the delimiters: each delimiter and control character becomes a blank. For names and
 * messages, never for numbers and codes.
 */
export const toWritable = (text: string, delimiters: Delimiters): string =>
  Array.from(text, (each) => (NOT_TEXT.test(each) || holdsDelimiter(each, delimiters) ? " " : each))
    .join("")
    .trim();
