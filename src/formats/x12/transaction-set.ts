import type { Delimiters } from "./delimiters.ts";
import type { X12Fault } from "./faults.ts";

/** A segment: its name, then its elements, so that `segment[3]` of BEG is BEG03. Elements at the end may be absent. */
export type Segment = readonly string[];

/** The header of an interchange. Ids are without the blanks that fill them up. */
export type InterchangeHeader = {
  controlNumber: string;
  senderQualifier: string;
  sender: string;
  receiverQualifier: string;
  receiver: string;
  /** YYMMDD and HHMM, as they were sent. */
  date: string;
  time: string;
  /** "00401"; the groups say more exactly which release their sets have. */
  version: string;
  isTest: boolean;
  wantsAcknowledgment: boolean;
  delimiters: Delimiters;
};

/** The header of a functional group. */
export type GroupHeader = {
  /** "PO" for purchase orders. */
  functionalId: string;
  sender: string;
  receiver: string;
  date: string;
  time: string;
  controlNumber: string;
  /** "004010", with a trade's subset behind it in some: "004060VICS". */
  version: string;
  /** Whether documents of the release can be read: 4010 to 4060. Sets of another are read as if they were of these. */
  isReleaseKnown: boolean;
};

/** A transaction set. With faults it is to be refused as a whole; its segments are then only evidence. */
export type TransactionSet = {
  interchange: InterchangeHeader;
  group: GroupHeader;
  /** "850" */
  type: string;
  controlNumber: string;
  /** ST and SE included, so that `segments[0]` has the position 1. */
  segments: readonly Segment[];
  /** Some simple element may hold a component or repetition separator. */
  mayHoldSeparators: boolean;
  faults: readonly X12Fault[];
};

/** A document, or the reasons to refuse the transaction set as a whole. */
export type ReadDocument<Document> = { document: Document } | { faults: readonly X12Fault[] };

/** Functional identifier codes of the transaction sets that are known here. */
export const FUNCTIONAL_IDS: Readonly<Record<string, string>> = {
  "810": "IN",
  "812": "CD",
  "820": "RA",
  "824": "AG",
  "850": "PO",
  "855": "PR",
  "856": "SH",
  "860": "PC",
  "864": "TX",
  "997": "FA",
};
