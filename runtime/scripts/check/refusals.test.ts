import { expect, test } from "vitest";
import { breakGuard, findGuards } from "../lib/guards.mjs";
import { repositoryFiles } from "./files.mjs";
import { checkRefusals, compareGuards } from "./refusals.mjs";

const SOURCE = `
/** @throws an error: this line is no throw statement, nor is "throw away". */
export function ship(order?: Order) {
  if (!order) throw orderUnknown();
  if (order.waiting)
    throw conflict("order_waits", "Choose one.");
  try {
    send(order);
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    throw toAppError(error);
  }
  if (!order.id) throw new Error("a bug");
}
`;

test("UO-15 every guard of orders, shipping, tracking and billing has its refusal case", () => {
  expect(checkRefusals(repositoryFiles())).toEqual([]);
});

test("UO-15 a guard without a refusal case fails the check, and so does a case without a guard", () => {
  const guards = findGuards(SOURCE).map(({ guard }) => ({ file: "ship.ts", guard }));
  expect(guards.map(({ guard }) => guard)).toEqual([
    "if (!order) throw orderUnknown();",
    'if (order.waiting) throw conflict("order_waits", "Choose one.");',
    "if (!(error instanceof UpsError)) throw error; throw toAppError(error);",
  ]);
  expect(compareGuards(guards, guards)).toEqual([]);
  expect(compareGuards(guards, guards.slice(1))).toEqual([
    "ship.ts has a guard without a case in test/refusals.json: if (!order) throw orderUnknown();",
  ]);
  expect(compareGuards(guards.slice(1), guards)).toHaveLength(1);
  expect(compareGuards(guards, [...guards, ...guards.slice(2)])).toHaveLength(1);
});

test("UO-15 a case is a break that takes its guard away", () => {
  const [, guard = ""] = findGuards(SOURCE).map((each) => each.guard);
  const guardCase = { file: "ship.ts", guard, test: "ship.test.ts", suite: "api" as const, title: "waits" };
  expect(breakGuard(guardCase, SOURCE)).toMatchObject({
    find: '  if (order.waiting)\n    throw conflict("order_waits", "Choose one.");',
    replace: '  if (order.waiting)\n    void conflict("order_waits", "Choose one.");',
  });
});

test("UO-15 what returns a refused document is a guard too, and its break takes the good way", () => {
  const source = `
export function read(order: Order, partner: Partner) {
  if (!order.lines)
    return refuse(order.number, ["It has no lines."]);
  const kind = order.isWhole
    ? refuseOrder(order)
    : accept(order);
  return problems.length > 0 ? refuse(order.number, problems) : kind;
}
`;
  const guards = findGuards(source).map(({ guard }) => guard);
  expect(guards).toEqual([
    'if (!order.lines) return refuse(order.number, ["It has no lines."]);',
    "const kind = order.isWhole ? refuseOrder(order)",
    "return problems.length > 0 ? refuse(order.number, problems) : kind;",
  ]);
  const written = { file: "read.ts", test: "read.test.ts", suite: "unit" as const, title: "refused" };
  expect(guards.map((guard) => breakGuard({ ...written, guard }, source).replace.trim())).toEqual([
    'if (!order.lines)\n    if (false) return refuse(order.number, ["It has no lines."]);',
    "const kind = order.isWhole\n    && false ? refuseOrder(order)",
    "return problems.length > 0 && false ? refuse(order.number, problems) : kind;",
  ]);
});
