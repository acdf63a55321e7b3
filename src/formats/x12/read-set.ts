import { isUtf8 } from "node:buffer";
import { faultAt, MAX_FAULTS, type FaultCode, type FaultPlace, type X12Fault } from "./faults.ts";
import { MAX_SET_SEGMENTS } from "./limits.ts";
import {
  FUNCTIONAL_IDS,
  type GroupHeader,
  type InterchangeHeader,
  type Segment,
  type TransactionSet,
} from "./transaction-set.ts";

/** A transaction set whose trailer is not read yet. */
export type OpenSet = {
  interchange: InterchangeHeader;
  group: GroupHeader;
  segments: Segment[];
  /** All segments, those beyond the limit too. */
  count: number;
  /** Some segment holds a control character or a separator of parts. */
  isOdd: boolean;
  hasLetters: boolean;
  faults: X12Fault[];
};

type Start = Pick<OpenSet, "interchange" | "group" | "hasLetters"> & { segment: Segment };

export function openSet({ segment, ...start }: Start): OpenSet {
  const set: OpenSet = { ...start, segments: [segment], count: 1, isOdd: false, faults: [] };
  const [, type = "", controlNumber = ""] = segment;
  const expected = FUNCTIONAL_IDS[type];
  if (!/^[A-Z0-9]{3}$/.test(type) || (expected !== undefined && expected !== set.group.functionalId))
    addFault(set, "set_not_of_group", { segment: "ST", position: 1, element: 1, value: type });
  if (!/^[ -~]{4,9}$/.test(controlNumber))
    addFault(set, "set_header_value", { segment: "ST", position: 1, element: 2, value: controlNumber });
  return set;
}

export function addSegment(set: OpenSet, segment: Segment, isOdd: boolean): void {
  set.count += 1;
  if (set.count > MAX_SET_SEGMENTS) return;
  set.segments.push(segment);
  const [name = ""] = segment;
  if (!isName(name))
    addFault(set, "segment_name_not_valid", {
      segment: name.slice(0, 3),
      position: set.count,
      value: name,
    });
  if (isOdd) set.isOdd = true;
}

/** Two or three capital letters and digits, a letter first. */
function isName(name: string): boolean {
  const { length } = name;
  if (length !== 2 && length !== 3) return false;
  if (!isCapital(name.charCodeAt(0)) || !isCapitalOrDigit(name.charCodeAt(1))) return false;
  return length === 2 || isCapitalOrDigit(name.charCodeAt(2));
}

const isCapital = (code: number) => code >= 65 && code <= 90;
const isCapitalOrDigit = (code: number) => isCapital(code) || (code >= 48 && code <= 57);

/** @param trailer SE; null when it is missing */
export function closeSet(set: OpenSet, trailer: Segment | null): TransactionSet {
  const [, type = "", controlNumber = ""] = set.segments[0] ?? [];
  if (trailer) {
    set.count += 1;
    set.segments.push(trailer);
    checkTrailer(set, trailer, controlNumber);
  } else addFault(set, "set_trailer_missing", { segment: "SE" });
  if (set.count > MAX_SET_SEGMENTS) addFault(set, "set_too_long", { params: { max: MAX_SET_SEGMENTS } });
  const segments = set.hasLetters ? decodeLetters(set.segments) : set.segments;
  if (set.isOdd || segments !== set.segments) findControls(set, segments);
  const { interchange, group, faults } = set;
  return { interchange, group, type, controlNumber, segments, mayHoldSeparators: set.isOdd, faults };
}

function checkTrailer(set: OpenSet, trailer: Segment, controlNumber: string): void {
  const [, count = "", number = ""] = trailer;
  const place = { segment: "SE", position: set.count };
  if (!/^\d{1,10}$/.test(count) || Number(count) !== set.count)
    addFault(set, "segment_count_differs", {
      ...place,
      element: 1,
      value: count,
      params: { received: set.count },
    });
  if (number !== controlNumber) addFault(set, "set_number_differs", { ...place, element: 2, value: number });
  if (trailer.length > 3)
    addFault(set, "too_many_elements", { ...place, element: 3, value: trailer.slice(3).join("*") });
}

function addFault(set: OpenSet, code: FaultCode, place: FaultPlace): void {
  if (set.faults.length >= MAX_FAULTS) return;
  const [, , controlNumber = ""] = set.segments[0] ?? [];
  set.faults.push(
    faultAt(code, {
      interchange: set.interchange.controlNumber,
      group: set.group.controlNumber,
      set: controlNumber,
      ...place,
    }),
  );
}

const LETTER = /[\u0080-\u00ff]/;

/** Elements were read with one character for each byte; here they become what the bytes mean. */
function decodeLetters(segments: readonly Segment[]): readonly Segment[] {
  const withLetters = segments.flatMap((segment) => segment.filter((element) => LETTER.test(element)));
  if (withLetters.length === 0) return segments;
  const isUnicode = withLetters.every((element) => isUtf8(Buffer.from(element, "latin1")));
  const decode = (element: string): string => {
    if (!LETTER.test(element)) return element;
    const bytes = Buffer.from(element, "latin1");
    return isUnicode ? bytes.toString("utf8") : WINDOWS_1252.decode(bytes);
  };
  return segments.map((segment) =>
    segment.some((each) => LETTER.test(each)) ? segment.map(decode) : segment,
  );
}

const WINDOWS_1252 = new TextDecoder("windows-1252");

/** Control characters are in no character set of X12, and cannot be stored as text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

function findControls(set: OpenSet, segments: readonly Segment[]): void {
  const { component, repetition } = set.interchange.delimiters;
  segments.forEach((segment, at) => {
    segment.forEach((value, element) => {
      const control = value.match(CONTROL)?.find((each) => each !== component && each !== repetition);
      if (control !== undefined)
        addFault(set, "character_not_valid", {
          segment: (segment[0] ?? "").slice(0, 3),
          position: at + 1,
          element,
          value,
          params: { code: control.charCodeAt(0) },
        });
    });
  });
}
