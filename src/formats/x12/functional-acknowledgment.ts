import type { Delimiters } from "./delimiters.ts";
import { acknowledgmentCode, faultLevel, type X12Fault } from "./faults.ts";
import {
  behind,
  countAt,
  every,
  once,
  listFrom,
  loop,
  loops,
  segment,
  textAt,
  transactionSet,
  wholeAt,
  type DescribedBy,
} from "./set-description.ts";
import type { GroupHeader } from "./transaction-set.ts";
import { toWritable } from "./write-interchange.ts";

/** AK4: an element by its place in the segment. */
const ELEMENT_ERROR = segment("AK4", {
  /** With a component behind it for a composite one: "4>1", as it was sent. */
  place: textAt(1),
  /** X12's number of the data element; null when it is not said. */
  reference: wholeAt(2),
  error: textAt(3),
  /** The bad data, empty when it cannot be repeated. */
  value: textAt(4),
});

/** AK3: a segment with its position in the set, ST being 1. */
const SEGMENT_ERROR = loop("AK3 AK4:99", [
  once(segment("AK3", { name: textAt(1), position: countAt(2), loop: textAt(3), errors: listFrom(4, 8) })),
  every("elements", ELEMENT_ERROR),
]);

/** AK2 to AK5: one transaction set. */
const SET_RESULT = loop("AK2", [
  once(segment("AK2", { type: textAt(1), controlNumber: textAt(2) })),
  loops("segments", SEGMENT_ERROR),
  behind(
    segment("AK5", {
      /** "A" accepted, "E" accepted with errors, "R" rejected. */
      status: textAt(1),
      /** X12's codes of errors of the set. */
      errors: listFrom(2, 6),
    }),
    { isRequired: true },
  ),
]);

/** A functional acknowledgment (997): what the receiver of a functional group says of it. */
const FUNCTIONAL_ACKNOWLEDGMENT = transactionSet("997", "AK1!", [
  once(
    segment("AK1", {
      /** Functional id and control number of the group: "PO" and "17". */
      functionalId: textAt(1),
      groupNumber: textAt(2),
      /** Release of the group, from 4030 on; else empty. */
      version: textAt(3),
    }),
  ),
  loops("sets", SET_RESULT),
  behind(
    segment("AK9", {
      /** "A" accepted, "E" accepted with errors, "P" in part, "R" rejected. */
      status: textAt(1),
      /** Sets that the group said it has, that were received, and that were accepted. */
      declared: countAt(2),
      received: countAt(3),
      accepted: countAt(4),
      /** X12's codes of errors of the group. */
      errors: listFrom(5, 9),
    }),
    { isRequired: true },
  ),
]);
export const { read: readFunctionalAcknowledgment, write: writeFunctionalAcknowledgment } =
  FUNCTIONAL_ACKNOWLEDGMENT;
export type FunctionalAcknowledgment = DescribedBy<typeof FUNCTIONAL_ACKNOWLEDGMENT>;
type SetResult = FunctionalAcknowledgment["sets"][number];
type SegmentError = SetResult["segments"][number];

/** A transaction set of a group, with the faults of its envelope or document. */
export type CheckedSet = { type: string; controlNumber: string; faults: readonly X12Fault[] };

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
  sets: readonly CheckedSet[];
  faults: readonly X12Fault[];
  delimiters: Delimiters;
}): FunctionalAcknowledgment | null {
  if (!canAcknowledge({ faults })) return null;
  const accepted = sets.filter((set) => set.faults.length === 0).length;
  const rejected = sets.length - accepted;
  const errors = codesAt("group", faults);
  const isGood = rejected === 0 && errors.length === 0;
  return {
    functionalId: group.functionalId,
    groupNumber: group.controlNumber,
    version: "",
    sets: sets.filter(isNamed).map((set) => toSetResult(set, delimiters)),
    status: isGood ? "A" : accepted === 0 ? "R" : rejected === 0 ? "E" : "P",
    declared: Math.min(declared ?? sets.length, MAX_COUNT),
    received: sets.length,
    accepted,
    errors,
    unused: [],
  };
}

/** True if the header of a group is good enough to be named. */
export const canAcknowledge = ({ faults }: { faults: readonly X12Fault[] }): boolean =>
  !faults.some(({ code, element }) => code === "group_header_value" && element !== VERSION);

/** Place of the release in GS. */
const VERSION = 8;
/** AK902 has six digits. */
const MAX_COUNT = 999_999;

/** A set whose header cannot be repeated is only counted. */
const isNamed = ({ type, controlNumber }: CheckedSet): boolean =>
  /^[A-Z0-9]{3}$/.test(type) && /^[A-Za-z0-9]{4,9}$/.test(controlNumber);

function toSetResult({ type, controlNumber, faults }: CheckedSet, delimiters: Delimiters): SetResult {
  const inSegments = faults.filter(({ code }) => ["segment", "element"].includes(faultLevel(code)));
  const errors = codesAt("set", faults);
  const all = inSegments.length > 0 ? [...errors, IN_SEGMENTS] : errors;
  return {
    type,
    controlNumber,
    segments: toSegmentErrors(inSegments, delimiters),
    status: faults.length === 0 ? "A" : "R",
    errors: [...new Set(all)].slice(0, MAX_CODES),
  };
}

/** AK502: one or more segments in error. */
const IN_SEGMENTS = "5";
/** AK304: the segment has data element errors. */
const HAS_ELEMENT_ERRORS = "8";
const MAX_CODES = 5;

function toSegmentErrors(faults: readonly X12Fault[], delimiters: Delimiters): SegmentError[] {
  // A segment whose name cannot be repeated is reported by the set's code alone.
  const named = faults.filter((fault) => /^[A-Z0-9]{2,3}$/.test(fault.segment));
  const places = Map.groupBy(named, (fault) => `${fault.position} ${fault.segment}`);
  return [...places.values()].map((atPlace) => {
    const { segment: name = "", position = null } = atPlace[0] ?? {};
    const elements = atPlace.filter(({ code }) => faultLevel(code) === "element");
    const errors = codesAt("segment", atPlace);
    return {
      name,
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
