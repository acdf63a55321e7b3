import { findDelimiterFault, holdsDelimiter, type Delimiters } from "./delimiters.ts";
import { faultAt, type FaultCode, type FaultPlace, type X12Fault } from "./faults.ts";
import type { GroupHeader, InterchangeHeader, Segment } from "./transaction-set.ts";

/** Length of ISA with its terminator: all its elements have fixed lengths. */
export const HEADER_LENGTH = 106;

/** Lengths of ISA01 to ISA16. */
export const HEADER_WIDTHS = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1] as const;

/**
 * Reads ISA, which says by its fixed positions what the delimiters are.
 * @param text the 106 characters of ISA and its terminator, fewer at the end of a file
 */
export function readInterchangeHeader(text: string): InterchangeHeader | X12Fault {
  const element = text[3] ?? "";
  const elements = text.slice(0, HEADER_LENGTH - 1).split(element);
  const read = (place: number) => elements[place] ?? "";
  const controlNumber = read(13).slice(0, 9);
  const fault = (code: FaultCode, at: FaultPlace) =>
    faultAt(code, { interchange: controlNumber, segment: "ISA", ...at });
  const wrong = findWrongLength(elements);
  if (wrong > 0 || text.length < HEADER_LENGTH) {
    const place = wrong > 0 ? wrong : HEADER_WIDTHS.length;
    return fault("interchange_header_length", { element: place, value: read(place) });
  }
  if (!/^\d{9}$/.test(controlNumber))
    return fault("interchange_header_value", { element: 13, value: controlNumber });
  if (!/^[PT]$/.test(read(15))) return fault("interchange_header_value", { element: 15, value: read(15) });
  const delimiters: Delimiters = {
    element,
    component: read(16),
    // Up to release 4010 the element names the standard, always with a U.
    repetition: /^[\w ]$/.test(read(11)) ? null : read(11),
    segment: text[HEADER_LENGTH - 1] ?? "",
  };
  const bad = findDelimiterFault(delimiters);
  if (bad !== undefined) return fault("delimiters_not_usable", { value: bad });
  const unnamed = [5, 6, 7, 8].find((place) => !isName(read(place), delimiters));
  if (unnamed !== undefined)
    return fault("interchange_header_value", { element: unnamed, value: read(unnamed) });
  return {
    controlNumber,
    senderQualifier: read(5),
    sender: read(6).trim(),
    receiverQualifier: read(7),
    receiver: read(8).trim(),
    date: read(9),
    time: read(10),
    version: read(12),
    isTest: read(15) === "T",
    wantsAcknowledgment: read(14) === "1",
    delimiters,
  };
}

/** Place of the first element of another length than ISA gives it; 0 when all are right. */
function findWrongLength(elements: readonly string[]): number {
  const wrong = HEADER_WIDTHS.findIndex((width, at) => elements[at + 1]?.length !== width) + 1;
  return wrong === 0 && elements.length > HEADER_WIDTHS.length + 1 ? HEADER_WIDTHS.length : wrong;
}

/** Whether a value can be used in the reply to an interchange, which names its sender and receiver. */
const isName = (value: string, delimiters: Delimiters): boolean =>
  /^[ -~]*$/.test(value) && !holdsDelimiter(value, delimiters);

/** Reads GS; names that can't be repeated are left empty. @param fault adds a fault of one of its elements */
export function readGroupHeader(
  segment: Segment,
  delimiters: Delimiters,
  fault: (element: number) => void,
): GroupHeader {
  const [
    ,
    functionalId = "",
    sender = "",
    receiver = "",
    date = "",
    time = "",
    controlNumber = "",
    ,
    version = "",
  ] = segment;
  if (!/^[A-Z0-9]{2}$/.test(functionalId)) fault(1);
  if (!/^\d{1,9}$/.test(controlNumber)) fault(6);
  const isVersion = /^\d{6}/.test(version) && isName(version, delimiters);
  if (!isVersion) fault(8);
  const readName = (value: string, element: number) => {
    if (isName(value, delimiters)) return value.trim();
    fault(element);
    return "";
  };
  return {
    functionalId,
    sender: readName(sender, 2),
    receiver: readName(receiver, 3),
    date,
    time,
    controlNumber,
    version,
    isReleaseKnown: isVersion && /^0040[1-6]0/.test(version),
  };
}
