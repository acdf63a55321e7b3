import { readDetails, writeDetails, type Details, type WithUnused } from "./document-parts.ts";
import type { X12Fault } from "./faults.ts";
import { checkTotals, writeTotals } from "./line-count.ts";
import { defineLoop, readLoops, type Loop, type LoopRules } from "./read-loops.ts";
import type { Segment, TransactionSet } from "./transaction-set.ts";
import { text } from "./values.ts";

/** Orders, changes and acknowledgments have one structure: a heading, lines and totals. */
export type OrderStructure = {
  /** First segment of the set, and of a line. */
  beginning: string;
  line: string;
  /** Place of the quantity in the segment of a line; null when the totals have no sum of it. */
  quantity: number | null;
  rules: LoopRules;
};

/** Loops that several documents have. */
export const PARTY = defineLoop("N1 N2:2 N3:2 N4? NX2 REF PER SI FOB TD1 TD5 TD3 TD4 PKG");
const NOTE = defineLoop("N9 DTM MSG MTX PWK EFI");
const AMOUNT = defineLoop("AMT REF DTM PCT");
const CODES = defineLoop("LM LQ");

const IN_HEADING =
  "CUR? REF PER TAX FOB CTP PAM CSH SAC ITD DIS INC DTM LDT LIN SI PID MEA PWK PKG TD1 TD5 TD3 TD4 MAN PCT CTB TXI";
const IN_LINE =
  "LIN SI CUR? CN1 PO3 CTP PAM MEA PID PWK PKG PO4 REF PER SAC IT8 CSH ITD DIS INC TAX FOB SDQ IT3 DTM TC2 TD1 TD5 TD3 TD4 PCT MAN MSG SPI TXI CTB";

/** Describes such a document; segments may come in any order within their loop. */
export function defineOrder({
  beginning,
  line,
  quantity,
  loops = [],
  isLineRequired,
}: Omit<OrderStructure, "rules"> & {
  loops?: readonly LoopRules[];
  isLineRequired: boolean;
}): OrderStructure {
  const inLine = [
    ...loops,
    NOTE,
    PARTY,
    AMOUNT,
    CODES,
    defineLoop("QTY SI"),
    defineLoop("SCH TD1 TD5 TD3 TD4 REF"),
    defineLoop("LDT QTY MSG REF"),
    defineLoop("SLN MSG SI PID PO3 TC2 CTP PAM PO4 TAX SAC DTM QTY PER"),
  ];
  const rules = defineLoop(
    `${beginning}! ${IN_HEADING}`,
    [
      AMOUNT,
      defineLoop("FA1 FA2"),
      NOTE,
      PARTY,
      CODES,
      defineLoop(`${line} ${IN_LINE}`, inLine, { stage: 1, isRequired: isLineRequired }),
      defineLoop("CTT AMT", [], { stage: 2 }),
    ],
    { isSet: true },
  );
  return { beginning, line, quantity, rules };
}

type ReadOrder = { beginning: Segment; heading: WithUnused<Details>; lines: readonly Loop[] };

/** Reads a set into heading and lines, or tells every reason to refuse it. */
export function readOrder(
  set: TransactionSet,
  structure: OrderStructure,
): ReadOrder | { faults: readonly X12Fault[] } {
  const { root, faults, partial } = readLoops(set, structure.rules);
  if (faults.length > 0) return { faults };
  const lines: Loop[] = [];
  const ofHeading: Loop[] = [];
  let totals: Loop | undefined;
  for (const loop of root.loops) {
    if (loop.name === structure.line) lines.push(loop);
    else if (loop.name === "CTT") totals = loop;
    else ofHeading.push(loop);
  }
  if (totals) {
    const wrong = checkTotals(set, totals, {
      counted: lines.length,
      quantities: () => readQuantities(lines, structure.quantity),
    });
    if (wrong.length > 0) return { faults: wrong };
  }
  const heading = readDetails(root.segments, ofHeading, structure.beginning);
  const behindTotals = totals?.segments.slice(1) ?? [];
  const beginning = root.segments.find(([name]) => name === structure.beginning) ?? [];
  return {
    beginning,
    heading: { ...heading, unused: [...heading.unused, ...behindTotals, ...partial] },
    lines,
  };
}

function readQuantities(lines: readonly Loop[], place: number | null): string[] | null {
  if (place === null) return null;
  return lines.flatMap(({ segments: [first = []] }) => text(first, place) || []);
}

/** Details of a line, all but those of its first segment and of `inner` loops, which the reader of the document takes. */
export function readLineDetails(loop: Loop, inner?: string): WithUnused<Details> {
  const loops = inner === undefined ? loop.loops : loop.loops.filter(({ name }) => name !== inner);
  return readDetails(loop.segments, loops, loop.name);
}

/** The segments of a document between ST and SE. */
export const writeOrder = (
  beginning: Segment,
  heading: Details,
  lines: readonly (readonly Segment[])[],
): Segment[] => [beginning, ...writeDetails(heading), ...lines.flat(), writeTotals(lines.length)];
