import fc from "fast-check";
import { expect, test } from "vitest";
import {
  deriveState,
  findCancelFault,
  findLostPieces,
  keepCanceled,
  listLineStates,
  listOpen,
  packCartons,
  type Pieces,
  type ShippedParts,
} from "#features/orders/rules-shipped.ts";
import type { OrderLine } from "#features/orders/types.ts";

const line = (number: string, quantity: string): OrderLine => ({
  line: number,
  buyerSku: `S-${number}`,
  vendorSku: "",
  upc: "",
  description: "",
  quantity,
  unit: "EA",
  unitCost: "1",
});
const LINES = [line("1", "6"), line("2", "2"), line("3", "4")];
const pieces = (...all: [string, string][]): Pieces[] =>
  all.map(([of, quantity]) => ({ line: of, quantity }));
const carton = (contents: Pieces[] | null, isVoided = false) => ({
  trackingNumber: "1Z",
  weightLb: 1,
  contents,
  isVoided,
});

test.each<[string, ShippedParts[], Pieces[], string, Pieces[]]>([
  ["nothing happened", [], [], "open", pieces(["1", "6"], ["2", "2"], ["3", "4"])],
  [
    "a part is shipped",
    [{ cartons: [carton(pieces(["1", "4"]))], lines: pieces(["1", "4"]) }],
    [],
    "open",
    pieces(["1", "2"], ["2", "2"], ["3", "4"]),
  ],
  [
    "the rest is canceled",
    [{ cartons: [carton(pieces(["1", "6"]))], lines: pieces(["1", "6"]) }],
    pieces(["2", "2"], ["3", "4"]),
    "labelled",
    [],
  ],
  ["all is canceled", [], pieces(["1", "6"], ["2", "2"], ["3", "4"]), "cancelled", []],
  [
    "one of two cartons is voided",
    [
      {
        cartons: [carton(pieces(["1", "6"], ["2", "2"])), carton(pieces(["3", "4"]), true)],
        lines: pieces(["1", "6"], ["2", "2"], ["3", "4"]),
      },
    ],
    [],
    "open",
    pieces(["3", "4"]),
  ],
  [
    "one of two cartons is voided, whose contents are unknown",
    [{ cartons: [carton(null), carton(null, true)], lines: pieces(["1", "6"], ["2", "2"], ["3", "4"]) }],
    [],
    "labelled",
    [],
  ],
  [
    "all cartons are voided",
    [{ cartons: [carton(null, true)], lines: pieces(["1", "6"], ["2", "2"], ["3", "4"]) }],
    [],
    "open",
    pieces(["1", "6"], ["2", "2"], ["3", "4"]),
  ],
])(
  "TD-03 an order's state and what is left to ship follow from its lines: %s",
  (_, shipments, cancels, state, open) => {
    const states = listLineStates(LINES, shipments, cancels);
    expect([deriveState(states), listOpen(states)]).toEqual([state, open]);
  },
);

test("TD-01 one carton holds everything that is open, several hold what they say, and wrong contents are named", () => {
  const states = listLineStates(LINES, [], pieces(["3", "4"]));
  const pack = (...contents: (Pieces[] | undefined)[]) =>
    packCartons(
      states,
      contents.map((each) => ({ contents: each })),
    );
  const open = pieces(["1", "6"], ["2", "2"]);
  expect(pack(undefined)).toEqual({ contents: [open], lines: open });
  expect(pack(undefined, undefined)).toEqual({ contents: [null, null], lines: open });
  expect(pack(pieces(["1", "4"]), pieces(["1", "1"], ["2", "1"]))).toEqual({
    contents: [pieces(["1", "4"]), pieces(["1", "1"], ["2", "1"])],
    lines: pieces(["1", "5"], ["2", "1"]),
  });
  for (const [contents, problem] of [
    [[pieces(["1", "4"]), pieces(["1", "3"])], "The cartons hold 7 of line 1, but only 6 are left to ship."],
    [[pieces(["3", "1"])], "The cartons hold 1 of line 3, but only 0 are left to ship."],
    [[pieces(["9", "1"])], "Carton 1 holds line 9, which the order doesn't have."],
    [[pieces(["1", "0"])], "Carton 1 holds 0 of line 1. A quantity is a number above 0."],
    [[pieces(["1", "1"]), undefined], "Carton 2 is empty. Enter what is in it, or delete it."],
  ] as const)
    expect(pack(...contents.map((each) => (each ? [...each] : undefined)))).toEqual({ problem });
});

test("TD-03 only pieces that are left can be canceled, and where the retailer takes whole lines, only those", () => {
  const shipped = [{ cartons: [carton(pieces(["1", "4"]))], lines: pieces(["1", "4"]) }];
  const states = listLineStates(LINES, shipped, []);
  const find = (cancels: Pieces[], smallest: "line" | "rest" | "quantity" = "quantity") =>
    findCancelFault(states, cancels, smallest);
  expect(find(pieces(["1", "2"], ["3", "4"]))).toBeNull();
  expect(find(pieces(["3", "4"]), "line")).toBeNull();
  expect(find(pieces(["1", "2"], ["3", "4"]), "rest")).toBeNull();
  expect(find(pieces(["1", "1"]), "rest")).toBe(
    "This retailer accepts a cancellation only of all that is left of a line. Cancel all 2 of line 1, or ship some later.",
  );
  expect(find(pieces(["1", "3"]))).toBe("Line 1 has 2 left to ship, so 3 can't be canceled.");
  expect(find(pieces(["1", "2"]), "line")).toBe(
    "This retailer accepts cancellations of whole lines only. Ship what is left of line 1.",
  );
  expect(find(pieces(["3", "1"]), "line")).toMatch(/whole lines only/);
  expect(find(pieces(["9", "1"]))).toBe("The order has no line 9.");
  expect(findLostPieces(states, [line("1", "3"), line("2", "9")])).toMatch(/^Of line 1, 4 were shipped/);
  expect(findLostPieces(states, [line("1", "4")])).toBeNull();
});

test("TD-02 what a retailer lessens of a line confirms what was canceled of it, the first cancellation first; the rest stays canceled", () => {
  const cancels = pieces(["1", "2"], ["1", "1.5"], ["2", "2"], ["3", "1"]);
  const keep = (...lines: [string, string][]) =>
    keepCanceled(
      listLineStates(LINES, [], cancels),
      lines.map(([of, quantity]) => line(of, quantity)),
      cancels,
    );
  expect(keep(["1", "6"], ["2", "2"], ["3", "4"])).toEqual(cancels);
  expect(keep(["1", "9"], ["2", "2"], ["3", "4"])).toEqual(cancels);
  expect(keep(["1", "4"], ["2", "2"], ["3", "3.5"])).toEqual(pieces(["1", "1.5"], ["2", "2"], ["3", "0.5"]));
  expect(keep(["1", "3.5"])).toEqual(pieces(["1", "1"]));
  expect(keep(["1", "1"], ["4", "8"])).toEqual([]);
});

test("TD-22 whatever is packed, voided and canceled in whatever order: ordered = shipped + canceled + open, never below zero", () => {
  const quantity = fc.integer({ min: 1, max: 12 });
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("ship" as const),
      shares: fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }),
    }),
    fc.record({ kind: fc.constant("void" as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant("cancel" as const), at: fc.nat(7), share: fc.integer({ min: 1, max: 4 }) }),
  );
  fc.assert(
    fc.property(
      fc.array(quantity, { minLength: 1, maxLength: 8 }),
      fc.array(step, { maxLength: 12 }),
      (amounts, steps) => {
        const lines = amounts.map((amount, at) => line(String(at + 1), String(amount)));
        const shipments: {
          cartons: {
            trackingNumber: string;
            weightLb: number;
            contents: readonly Pieces[] | null;
            isVoided: boolean;
          }[];
          lines: readonly Pieces[];
        }[] = [];
        const cancels: Pieces[] = [];
        for (const taken of steps) {
          const states = listLineStates(lines, shipments, cancels);
          const open = listOpen(states);
          if (taken.kind === "ship") {
            const contents = taken.shares
              .map((share, at) =>
                open
                  .slice(at % 2)
                  .map((piece) => ({ ...piece, quantity: String(Math.min(share, Number(piece.quantity))) })),
              )
              .map((each) => each.filter((piece) => Number(piece.quantity) > 0))
              .filter((each) => each.length > 0)
              .slice(0, 3);
            const packed = packCartons(
              states,
              contents.map((each) => ({ contents: each })),
            );
            if (contents.length === 0 || "problem" in packed) continue;
            shipments.push({
              cartons: packed.contents.map((each) => ({
                trackingNumber: "1Z",
                weightLb: 1,
                contents: each,
                isVoided: false,
              })),
              lines: packed.lines,
            });
          } else if (taken.kind === "void") {
            const cartons = shipments.flatMap((shipment) => shipment.cartons);
            const struck = cartons[taken.at];
            if (struck) struck.isVoided = true;
          } else {
            const target = open[taken.at];
            if (target)
              cancels.push({
                line: target.line,
                quantity: String(Math.min(taken.share, Number(target.quantity))),
              });
          }
        }
        const states = listLineStates(lines, shipments, cancels);
        for (const { ordered, shipped, canceled, open } of states) {
          expect(Number(shipped) + Number(canceled) + Number(open)).toBe(Number(ordered));
          expect(Number(open)).toBeGreaterThanOrEqual(0);
        }
        const isOpen = states.some(({ open }) => Number(open) > 0);
        expect(deriveState(states) === "open").toBe(isOpen);
      },
    ),
    { numRuns: 2_000 },
  );
});
