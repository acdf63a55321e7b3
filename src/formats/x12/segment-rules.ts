/** Types of data elements: text, code, date, time, decimal number, whole number with implied decimals, composite. */
type ElementType = "AN" | "ID" | "DT" | "TM" | "R" | "N" | "C";

export type ElementRule = {
  /** X12's number of the data element. */
  reference: number;
  isRequired: boolean;
  type: ElementType;
  min: number;
  max: number;
  /** Values that the documents are read for; others are refused. */
  pattern?: RegExp;
};

export type SegmentRule = {
  elements: readonly ElementRule[];
  /** Place of the last mandatory element. */
  lastRequired: number;
  /** Places of elements that come together or not at all. */
  pairs: readonly (readonly [number, number])[];
  /** Places; at least one of them must have a value. */
  oneOf: readonly number[];
};

/**
 * One element a word: number of the data element, M for a mandatory one, its type and its lengths. Where releases 4010 to
 * 4060 differ the longer length is taken. `…` repeats the last two elements up to the given place.
 */
function define(
  text: string,
  { pairs = [], oneOf = [] }: { pairs?: [number, number][]; oneOf?: number[] } = {},
): SegmentRule {
  const elements: ElementRule[] = [];
  for (const word of text.split(" ")) {
    if (word.startsWith("…")) {
      for (let at = elements.length; at < Number(word.slice(1)); at += 1)
        elements.push({ ...(elements[at - 2] as ElementRule), isRequired: false });
      continue;
    }
    const [, reference, isRequired, type, min, max] = /^(\d+)(M?)([A-Z]+)(\d+)\/(\d+)$/.exec(word) ?? [];
    elements.push({
      reference: Number(reference),
      isRequired: isRequired === "M",
      type: type as ElementType,
      min: Number(min),
      max: Number(max),
    });
  }
  const lastRequired = elements.findLastIndex((each) => each.isRequired) + 1;
  return { elements, lastRequired, pairs, oneOf };
}

function withPattern(rule: SegmentRule, place: number, pattern: RegExp): SegmentRule {
  const elements = rule.elements.map((each, at) => (at === place - 1 ? { ...each, pattern } : each));
  return { ...rule, elements };
}

/** Pairs of qualifier and value from a place on. */
const pairsFrom = (first: number, last: number): [number, number][] =>
  Array.from({ length: (last - first + 1) / 2 }, (_, at) => [first + 2 * at, first + 2 * at + 1]);

/**
 * Segments that are read into documents, after ASC X12's segment directory. Quantity and unit of a line are mandatory
 * here, since a line without them orders nothing; X12 leaves them open.
 */
const RULES: Readonly<Record<string, SegmentRule>> = {
  BEG: define(
    "353MID2/2 92MID2/2 324MAN1/22 328AN1/30 373MDT8/8 367AN1/30 587ID2/2 1019ID3/3 1166ID2/2 1232ID2/2 786ID2/2 640ID2/3",
  ),
  BCH: define(
    "353MID2/2 92MID2/2 324MAN1/22 328AN1/30 327AN1/8 373MDT8/8 326AN1/45 367AN1/30 127AN1/50 373DT8/8 373DT8/8 786ID2/2 640ID2/3 1166ID2/2",
  ),
  BAK: define(
    "353MID2/2 587MID2/2 324MAN1/22 373MDT8/8 328AN1/30 326AN1/45 367AN1/30 127AN1/50 373DT8/8 640ID2/3 599ID3/3",
  ),
  BSN: withPattern(
    define("353MID2/2 396MAN2/30 373MDT8/8 337MTM4/8 1005MID4/4 640ID2/3 641ID3/3"),
    5,
    /^000[12]$/,
  ),
  CUR: define("98MID2/3 100MID3/3 280R4/10 98ID2/3 100ID3/3 669ID3/3 374ID3/3 373DT8/8 337TM4/8 …21"),
  REF: define("128MID2/3 127AN1/50 352AN1/80 40C1/99", { oneOf: [2, 3] }),
  PER: define("366MID2/2 93AN1/60 365ID2/2 364AN1/256 365ID2/2 364AN1/256 365ID2/2 364AN1/256 443AN1/20", {
    pairs: [
      [3, 4],
      [5, 6],
      [7, 8],
    ],
  }),
  SAC: define(
    "248MID1/1 1300ID4/4 559ID2/2 1301AN1/10 610N1/15 378ID1/1 332R1/6 118R1/9 355ID2/2 380R1/15 380R1/15 331ID2/2 127AN1/50 770AN1/20 352AN1/80 819ID2/3",
    { pairs: [[3, 4]], oneOf: [2, 3] },
  ),
  BIG: define(
    "373MDT8/8 76MAN1/22 373DT8/8 324AN1/22 328AN1/30 327AN1/8 640ID2/2 353ID2/2 306ID1/2 76AN1/22",
  ),
  IT1: define("350AN1/20 358MR1/10 355MID2/2 212MR1/17 639ID2/2 235ID2/2 234AN1/48 …25", {
    pairs: pairsFrom(6, 25),
  }),
  TDS: define("610MN1/15 610N1/15 610N1/15 610N1/15"),
  TXI: define("963MID2/2 782R1/18 954R1/10 955ID2/2 956AN1/10 441ID1/1 325AN1/20 828R1/9 350AN1/20", {
    oneOf: [2, 3, 6],
  }),
  CAD: define("91ID1/2 206AN1/4 207AN1/10 140ID2/4 387AN1/35 368ID2/2 128ID2/3 127AN1/50 284ID2/2", {
    pairs: [[7, 8]],
    oneOf: [4, 5],
  }),
  BCD: define(
    "373MDT8/8 475MAN1/22 305MID1/2 610MN1/15 478MID1/1 373DT8/8 76AN1/22 328AN1/30 373DT8/8 324AN1/22 353ID2/2 640ID2/3 128ID2/3 127AN1/50",
  ),
  ITD: define(
    "336ID2/2 333ID1/2 338R1/6 370DT8/8 351N1/3 446DT8/8 386N1/3 362N1/10 388DT8/8 389N1/10 342R1/5 352AN1/80 765N1/2 107ID1/1 954R1/10",
  ),
  DTM: define("374MID3/3 373DT8/8 337TM4/8 623ID2/2 1250ID2/3 1251AN1/35", {
    pairs: [[5, 6]],
    oneOf: [2, 3, 5],
  }),
  TD1: define("103AN3/5 80N1/7 23ID1/1 22AN1/30 79AN1/50 187ID1/2 81R1/10 355ID2/2 183R1/8 355ID2/2", {
    pairs: [
      [7, 8],
      [9, 10],
    ],
  }),
  TD5: define(
    "133ID1/2 66ID1/2 67AN2/80 91ID1/2 387AN1/35 368ID2/2 309ID1/2 310AN1/30 731ID2/2 732ID2/2 733R1/4 284ID2/2 284ID2/2 284ID2/2 26ID2/3",
    { oneOf: [2, 4, 5, 6, 12] },
  ),
  N9: define("128MID2/3 127AN1/50 369AN1/45 373DT8/8 337TM4/8 623ID2/2 40C1/99", { oneOf: [2, 3] }),
  MSG: define("933MAN1/264 934ID2/2 1470N1/9"),
  N1: define("98MID2/3 93AN1/60 66ID1/2 67AN2/80 706ID2/2 98ID2/3", { pairs: [[3, 4]], oneOf: [2, 3] }),
  N2: define("93MAN1/60 93AN1/60"),
  N3: define("166MAN1/55 166AN1/55"),
  N4: withPattern(
    define("19AN2/30 156ID2/2 116ID3/15 26ID2/3 309ID1/2 310AN1/30 1715ID1/3"),
    4,
    /^[A-Z]{2,3}$/,
  ),
  PO1: define("350AN1/20 330MR1/15 355MID2/2 212R1/17 639ID2/2 235ID2/2 234AN1/48 …25", {
    pairs: pairsFrom(6, 25),
  }),
  POC: define("350AN1/20 670MID2/2 330R1/15 671R1/9 1C1/99 212R1/17 639ID2/2 235ID2/2 234AN1/48 …27", {
    pairs: pairsFrom(8, 27),
  }),
  PID: define("349MID1/1 750ID2/3 559ID2/2 751AN1/12 352AN1/80 752ID2/2 822AN1/15 1073ID1/1 819ID2/3", {
    oneOf: [4, 5],
  }),
  ACK: define("668MID2/2 380R1/15 355ID2/2 374ID3/3 373DT8/8 326AN1/45 235ID2/2 234AN1/48 …28", {
    pairs: [[2, 3], ...pairsFrom(7, 28)],
  }),
  CTT: define("354MN1/6 347R1/10 81R1/10 355ID2/2 183R1/8 355ID2/2 352AN1/80"),
  HL: define("628MAN1/12 734AN1/12 735MID1/2 736ID1/1"),
  PRF: define("324MAN1/22 328AN1/30 327AN1/8 373DT8/8 350AN1/20 367AN1/30 92ID2/2"),
  LIN: define("350AN1/20 235MID2/2 234MAN1/48 235ID2/2 234AN1/48 …31", { pairs: pairsFrom(2, 31) }),
  SN1: define("350AN1/20 382MR1/10 355MID2/2 646R1/15 330R1/15 355ID2/2 728ID1/2 668ID2/2", {
    pairs: [[5, 6]],
  }),
  MAN: define("88MID1/2 87MAN1/48 87AN1/48 88ID1/2 87AN1/48 87AN1/48", { pairs: [[4, 5]] }),
  AK1: define("479MID2/2 28MN1/9 480AN1/12"),
  AK2: define("143MID3/3 329MAN4/9 1705AN1/35"),
  AK3: define("721MID2/3 719MN1/10 447AN1/6 720ID1/3 …8"),
  AK4: define("30MC1/20 725N1/4 723MID1/3 724AN1/99"),
  AK5: define("717MID1/1 718ID1/3 718ID1/3 …6"),
  AK9: define("715MID1/1 97MN1/6 123MN1/6 2MN1/6 716ID1/3 716ID1/3 …9"),
};

/** Rules by the name of the segment; one without rules may hold anything. */
export const SEGMENT_RULES: ReadonlyMap<string, SegmentRule> = new Map(Object.entries(RULES));
