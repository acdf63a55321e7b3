import type { Params } from "../facts.ts";

/** Where a fault belongs in a functional acknowledgment, and the code that says it there. */
const FAULTS = {
  // Faults of an interchange; a 997 has no place for them.
  no_interchange: { in: "interchange", code: "" },
  outside_interchange: { in: "interchange", code: "" },
  interchange_header_length: { in: "interchange", code: "" },
  interchange_header_value: { in: "interchange", code: "" },
  delimiters_not_usable: { in: "interchange", code: "" },
  interchange_trailer_missing: { in: "interchange", code: "" },
  interchange_trailer_value: { in: "interchange", code: "" },
  interchange_number_differs: { in: "interchange", code: "" },
  group_count_differs: { in: "interchange", code: "" },
  segment_outside_group: { in: "interchange", code: "" },
  segment_not_ended: { in: "interchange", code: "" },
  // AK905 and those after it.
  group_header_value: { in: "group", code: "6" },
  group_trailer_missing: { in: "group", code: "3" },
  group_number_differs: { in: "group", code: "4" },
  set_count_differs: { in: "group", code: "5" },
  segment_outside_set: { in: "group", code: "5" },
  // AK502 and those after it.
  set_not_known: { in: "set", code: "1" },
  set_trailer_missing: { in: "set", code: "2" },
  set_number_differs: { in: "set", code: "3" },
  segment_count_differs: { in: "set", code: "4" },
  set_not_of_group: { in: "set", code: "6" },
  set_header_value: { in: "set", code: "7" },
  set_too_long: { in: "set", code: "5" },
  content_not_usable: { in: "set", code: "5" },
  // AK304 and those after it.
  segment_name_not_valid: { in: "segment", code: "1" },
  segment_unexpected: { in: "segment", code: "2" },
  segment_missing: { in: "segment", code: "3" },
  segment_too_often: { in: "segment", code: "5" },
  // AK403.
  element_missing: { in: "element", code: "1" },
  element_missing_beside: { in: "element", code: "2" },
  too_many_elements: { in: "element", code: "3" },
  too_short: { in: "element", code: "4" },
  too_long: { in: "element", code: "5" },
  character_not_valid: { in: "element", code: "6" },
  number_not_valid: { in: "element", code: "6" },
  code_not_valid: { in: "element", code: "7" },
  count_differs: { in: "element", code: "7" },
  date_not_valid: { in: "element", code: "8" },
  time_not_valid: { in: "element", code: "9" },
} as const;

export type FaultCode = keyof typeof FAULTS;

/**
 * A fault of a file, interchange, group, transaction set, segment or element, as facts: sentences and functional
 * acknowledgments are made of them. Texts are empty and places null where they do not apply.
 */
export type X12Fault = {
  code: FaultCode;
  /** Control numbers, as they are in the headers. */
  interchange: string;
  group: string;
  set: string;
  /** Name of the segment, "BEG". */
  segment: string;
  /** Place of the segment in its set, from 1, which is ST; null outside of a set. */
  position: number | null;
  /** Place of the element in its segment, from 1, as in BEG03. */
  element: number | null;
  /** X12's number of the data element, 324 for a purchase order number; null where none is known. */
  reference: number | null;
  /** The element as it was sent, at most 99 characters. */
  value: string;
  params: Params;
};

/** Where a fault was found, as far as it is known. */
export type FaultPlace = Partial<Omit<X12Fault, "code">>;

export function faultAt(code: FaultCode, place: FaultPlace): X12Fault {
  return {
    code,
    interchange: "",
    group: "",
    set: "",
    segment: "",
    position: null,
    element: null,
    reference: null,
    params: {},
    ...place,
    value: (place.value ?? "").slice(0, MAX_VALUE),
  };
}

/** Length of a copy of bad data in an acknowledgment (AK404). */
const MAX_VALUE = 99;

/** Faults kept for one transaction set: a set that is refused has shown enough by then. */
export const MAX_FAULTS = 100;

export type FaultLevel = (typeof FAULTS)[FaultCode]["in"];

export const faultLevel = (code: FaultCode): FaultLevel => FAULTS[code].in;

/** X12's code for a fault at its level; empty for an interchange. */
export const acknowledgmentCode = (code: FaultCode): string => FAULTS[code].code;
