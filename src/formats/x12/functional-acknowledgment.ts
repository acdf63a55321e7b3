import type { Delimiters } from "./delimiters.ts";
import { acknowledgmentCode, faultLevel, type X12Fault } from "./faults.ts";
import { defineLoop, readLoops, type Loop } from "./read-loops.ts";
import type { GroupHeader, ReadDocument, Segment, TransactionSet } from "./transaction-set.ts";
import { text, wholeNumber, writeWhole } from "./values.ts";
import { toWritable, type SetBody } from "./write-interchange.ts";

/** A functional acknowledgment (997): what the receiver of a functional group says of it. */
export type FunctionalAcknowledgment = {
  /** Functional id and control number of the group: "PO" and "17". */
  functionalId: string;
  groupNumber: string;
  /** Release of the group, from 4030 on; else empty. */
  version: string;
  sets: readonly SetResult[];
  /** "A" accepted, "E" accepted with errors, "P" in part, "R" rejected. */
  status: string;
  /** Sets that the group said it has, that were received, and that were accepted. */
  declared: number;
  received: number;
  accepted: number;
  /** X12's codes of errors of the group, at most five. */
  errors: readonly string[];
};

/** AK2 to AK5: one transaction set. */
export type SetResult = {
  type: string;
  controlNumber: string;
  segments: readonly SegmentError[];
  /** "A" accepted, "E" accepted with errors, "R" rejected. */
  status: string;
  /** X12's codes of errors of the set, at most five. */
  errors: readonly string[];
};

/** AK3: a segment with its position in the set, ST being 1. */
export type SegmentError = {
  name: string;
  position: number;
  loop: string;
  errors: readonly string[];
  elements: readonly ElementError[];
};

/** AK4: an element by its place in the segment. */
export type ElementError = {
  /** Place of the element; with a component behind it for a composite one: "4>1", as it was sent. */
  place: string;
  /** X12's number of the data element; null when it is not said. */
  reference: number | null;
  error: string;
  /** The bad data, empty when it cannot be repeated. */
  value: string;
};

const ELEMENTS = defineLoop("AK3 AK4:99");
/** AK5 and AK9 come behind loops, so each begins one of its own here. */
const RULES = defineLoop(
  "AK1!",
  [
    defineLoop("AK2", [ELEMENTS, defineLoop("AK5", [], { stage: 1, isRequired: true })]),
    defineLoop("AK9", [], { stage: 1, isRequired: true }),
  ],
  { isSet: true },
);

/** Reads a 997 whole, or tells every reason to refuse it. */
export function readFunctionalAcknowledgment(set: TransactionSet): ReadDocument<FunctionalAcknowledgment> {
  const { root, faults } = readLoops(set, RULES);
  if (faults.length > 0) return { faults };
  const [group = []] = root.segments;
  const [ending = []] = root.loops.find(({ name }) => name === "AK9")?.segments ?? [];
  return {
    document: {
      functionalId: text(group, 1),
      groupNumber: text(group, 2),
      version: text(group, 3),
      sets: root.loops.filter(({ name }) => name === "AK2").map(readSetResult),
      status: text(ending, 1),
      declared: wholeNumber(ending, 2) ?? 0,
      received: wholeNumber(ending, 3) ?? 0,
      accepted: wholeNumber(ending, 4) ?? 0,
      errors: readCodes(ending, 5),
    },
  };
}

function readSetResult({ segments: [first = []], loops }: Loop): SetResult {
  const [ending = []] = loops.find(({ name }) => name === "AK5")?.segments ?? [];
  return {
    type: text(first, 1),
    controlNumber: text(first, 2),
    segments: loops.filter(({ name }) => name === "AK3").map(readSegmentError),
    status: text(ending, 1),
    errors: readCodes(ending, 2),
  };
}

function readSegmentError({ segments: [first = [], ...others] }: Loop): SegmentError {
  return {
    name: text(first, 1),
    position: wholeNumber(first, 2) ?? 0,
    loop: text(first, 3),
    errors: readCodes(first, 4),
    elements: others.map((segment) => ({
      place: text(segment, 1),
      reference: wholeNumber(segment, 2),
      error: text(segment, 3),
      value: text(segment, 4),
    })),
  };
}

const readCodes = (segment: Segment, first: number): string[] =>
  [0, 1, 2, 3, 4].map((at) => text(segment, first + at)).filter((code) => code !== "");

/** The segments of a 997 between ST and SE. */
export function writeFunctionalAcknowledgment(value: FunctionalAcknowledgment): SetBody {
  const { functionalId, groupNumber, version, sets, status, declared, received, accepted, errors } = value;
  const counts = [declared, received, accepted].map(writeWhole);
  return {
    type: "997",
    segments: [
      ["AK1", functionalId, groupNumber, version],
      ...sets.flatMap(writeSetResult),
      ["AK9", status, ...counts, ...errors],
    ],
  };
}

const writeSetResult = ({ type, controlNumber, segments, status, errors }: SetResult): Segment[] => [
  ["AK2", type, controlNumber],
  ...segments.flatMap((segment) => [
    ["AK3", segment.name, writeWhole(segment.position), segment.loop, ...segment.errors],
    ...segment.elements.map((each) => [
      "AK4",
      each.place,
      writeWhole(each.reference),
      each.error,
      each.value,
    ]),
  ]),
  ["AK5", status, ...errors],
];

/** A transaction set of a group, with the faults of its envelope or document. */
export type JudgedSet = { type: string; controlNumber: string; faults: readonly X12Fault[] };

/**
 * Says of a group that was read what of it is accepted: every set without a fault.
 * @param declared sets that its trailer counts; null when it says none
 * @param faults of the group itself, which refuse none of its sets
 * @param delimiters those of the answer, which bad data must not hold to be repeated in it
 * @returns null when the header of the group is too bad to be named
 */
export function acknowledgeGroup({
  group,
  declared,
  sets,
  faults,
  delimiters,
}: {
  group: GroupHeader;
  declared: number | null;
  sets: readonly JudgedSet[];
  faults: readonly X12Fault[];
  delimiters: Delimiters;
}): FunctionalAcknowledgment | null {
  if (faults.some(({ code, element }) => code === "group_header_value" && element !== VERSION)) return null;
  const accepted = sets.filter((set) => set.faults.length === 0).length;
  const rejected = sets.length - accepted;
  const errors = codesAt("group", faults);
  const isGood = rejected === 0 && errors.length === 0;
  return {
    functionalId: group.functionalId,
    groupNumber: group.controlNumber,
    version: "",
    sets: sets.filter(isNamed).map((set) => judgeSet(set, delimiters)),
    status: isGood ? "A" : accepted === 0 ? "R" : rejected === 0 ? "E" : "P",
    declared: Math.min(declared ?? sets.length, MAX_COUNT),
    received: sets.length,
    accepted,
    errors,
  };
}

/** Place of the release in GS. */
const VERSION = 8;
/** AK902 has six digits. */
const MAX_COUNT = 999_999;

/** A set whose header cannot be repeated is only counted. */
const isNamed = ({ type, controlNumber }: JudgedSet): boolean =>
  /^[A-Z0-9]{3}$/.test(type) && /^[A-Za-z0-9]{4,9}$/.test(controlNumber);

function judgeSet({ type, controlNumber, faults }: JudgedSet, delimiters: Delimiters): SetResult {
  const inSegments = faults.filter(({ code }) => ["segment", "element"].includes(faultLevel(code)));
  const errors = codesAt("set", faults);
  const all = inSegments.length > 0 ? [...errors, IN_SEGMENTS] : errors;
  return {
    type,
    controlNumber,
    segments: judgeSegments(inSegments, delimiters),
    status: faults.length === 0 ? "A" : "R",
    errors: [...new Set(all)].slice(0, MAX_CODES),
  };
}

/** AK502: one or more segments in error. */
const IN_SEGMENTS = "5";
/** AK304: the segment has data element errors. */
const HAS_ELEMENT_ERRORS = "8";
const MAX_CODES = 5;

function judgeSegments(faults: readonly X12Fault[], delimiters: Delimiters): SegmentError[] {
  // A segment whose name cannot be repeated is said by the set's code alone.
  const named = faults.filter(({ segment }) => /^[A-Z0-9]{2,3}$/.test(segment));
  const places = Map.groupBy(named, ({ segment, position }) => `${position} ${segment}`);
  return [...places.values()].map((atPlace) => {
    const { segment = "", position = null } = atPlace[0] ?? {};
    const elements = atPlace.filter(({ code }) => faultLevel(code) === "element");
    const errors = codesAt("segment", atPlace);
    return {
      name: segment,
      position: position ?? 0,
      loop: "",
      errors: (elements.length > 0 ? [...errors, HAS_ELEMENT_ERRORS] : errors).slice(0, MAX_CODES),
      elements: elements.map((fault) => ({
        place: String(fault.element ?? 0),
        reference: fault.reference,
        error: acknowledgmentCode(fault.code),
        value: toWritable(fault.value, delimiters) === fault.value ? fault.value : "",
      })),
    };
  });
}

const codesAt = (level: "group" | "set" | "segment", faults: readonly X12Fault[]): string[] => [
  ...new Set(
    faults.filter(({ code }) => faultLevel(code) === level).map(({ code }) => acknowledgmentCode(code)),
  ),
];
