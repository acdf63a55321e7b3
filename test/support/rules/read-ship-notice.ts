import type { X12Fault } from "#formats/x12/faults.ts";
import { checkTotals } from "#formats/x12/line-count.ts";
import { PARTY } from "#formats/x12/parts.ts";
import { createReport, defineLoop, readLoops, type Loop } from "#formats/x12/read-loops.ts";
import { holdsMore, type WithUnused } from "#formats/x12/set-description.ts";
import {
  BEGINNING,
  CARTON,
  INSIDE,
  ITEM,
  LEVEL_SEGMENTS,
  ORDER,
  SHIPMENT,
  type Carton,
  type Item,
  type ShipNotice,
  type ShippedOrder,
} from "#formats/x12/ship-notice.ts";
import type { ReadDocument, Segment, TransactionSet } from "#formats/x12/transaction-set.ts";
import { text } from "#formats/x12/values.ts";

const RULES = defineLoop(
  "BSN! DTM",
  [
    defineLoop(LEVEL_SEGMENTS, [PARTY.rules], { stage: 1, isRequired: true }),
    defineLoop("CTT", [], { stage: 2 }),
  ],
  { isSet: true },
);

type Node = { id: string; code: string; loop: Loop; children: Node[] };

/** Reads an 856 whole, or tells every reason to refuse it. */
export function readShipNotice(set: TransactionSet): ReadDocument<ShipNotice> {
  const { root, faults, partial } = readLoops(set, RULES, holdsMore);
  if (faults.length > 0) return { faults };
  const beginning = root.segments.find(([name]) => name === "BSN") ?? [];
  const levels = root.loops.filter(({ name }) => name === "HL");
  const { shipment, faults: wrong } = readTree(set, levels, text(beginning, 5));
  const totals = root.loops.find(({ name }) => name === "CTT");
  const readQuantities = () =>
    levels.flatMap(({ segments }) => {
      const found = segments.find(([name]) => name === "SN1");
      return found ? [text(found, 2)] : [];
    });
  if (totals) wrong.push(...checkTotals(set, totals, { counted: levels.length, quantities: readQuantities }));
  if (!shipment || wrong.length > 0) return { faults: wrong };
  const level = readLevel(shipment, SHIPMENT);
  return {
    document: {
      ...BEGINNING.read(root, []),
      shipment: {
        ...level,
        unused: [...level.unused, ...partial],
        orders: shipment.children.map(readShippedOrder),
      },
    },
  };
}

/** Puts the levels into each other by their numbers; each follows the one it is in. */
function readTree(set: TransactionSet, levels: readonly Loop[], structure: string) {
  const faults: X12Fault[] = [];
  const report = createReport(set, faults);
  const inside = INSIDE[structure] ?? {};
  const top: Node = {
    id: "",
    code: "",
    loop: { name: "", segments: [], loops: [], position: 1 },
    children: [],
  };
  const path: Node[] = [top];
  const seen = new Set<string>();
  for (const loop of levels) {
    const [first = []] = loop.segments;
    const [id, parentId, code] = [text(first, 1), text(first, 2), text(first, 3)];
    const place = { segment: "HL", position: loop.position };
    if (seen.has(id)) report("code_not_valid", { ...place, element: 1, reference: 628, value: id });
    seen.add(id);
    const depth = path.findIndex((node) => node.id === parentId);
    const parent = path[depth];
    if (!parent) {
      report("code_not_valid", { ...place, element: 2, reference: 734, value: parentId });
      continue;
    }
    if (code === "" || !inside[parent.code]?.includes(code) || (parent === top && top.children.length > 0))
      report("code_not_valid", { ...place, element: 3, reference: 735, value: code });
    const needed = NEEDED[code];
    if (needed !== undefined && !loop.segments.some(([name]) => name === needed))
      report("segment_missing", { segment: needed, position: loop.position });
    const node: Node = { id, code, loop, children: [] };
    parent.children.push(node);
    path.length = depth + 1;
    path.push(node);
  }
  return { shipment: top.children[0], faults };
}

/** Segment without which a level says nothing. */
const NEEDED: Readonly<Record<string, string>> = { O: "PRF", I: "LIN" };

function readLevel<Value extends object>(
  { loop: found }: Node,
  { read }: { read(loop: Loop, unused: Segment[]): Value },
): WithUnused<Value> {
  const unused: Segment[] = [];
  return { ...read(found, unused), unused };
}

const withCode = ({ children }: Node, code: string): Node[] => children.filter((node) => node.code === code);

const readShippedOrder = (node: Node): ShippedOrder => ({
  ...readLevel(node, ORDER),
  cartons: withCode(node, "P").map(readCarton),
  items: withCode(node, "I").map(readItem),
});

const readCarton = (node: Node): Carton => ({
  ...readLevel(node, CARTON),
  items: withCode(node, "I").map(readItem),
});

const readItem = (node: Node): Item => ({
  ...readLevel(node, ITEM),
  cartons: withCode(node, "P").map(readCarton),
});
