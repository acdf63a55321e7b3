import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { WorkbooksBusy } from "./refusals.ts";
import { createTurns } from "./take-turn.ts";

test("no more workbooks are read at once than there are places; the others follow in the order they came", async () => {
  const takeTurn = createTurns({ places: 2, waiting: 9 });
  const [endFirst, endSecond] = [await takeTurn(), await takeTurn()];
  const came: string[] = [];
  const third = takeTurn().then((end) => (came.push("third"), end));
  const fourth = takeTurn().then((end) => (came.push("fourth"), end));
  await setImmediate();
  expect(came).toEqual([]);
  endFirst();
  endFirst();
  await setImmediate();
  expect(came).toEqual(["third"]);
  endSecond();
  (await third)();
  (await fourth)();
  expect(came).toEqual(["third", "fourth"]);
});

test("when too many wait already, one more is turned away and the next may come once a place is free", async () => {
  const takeTurn = createTurns({ places: 1, waiting: 1 });
  const end = await takeTurn();
  const waiting = takeTurn();
  await expect(takeTurn()).rejects.toBeInstanceOf(WorkbooksBusy);
  end();
  (await waiting)();
  (await takeTurn())();
});

test("who gives up while waiting leaves the line and takes no place", async () => {
  const takeTurn = createTurns({ places: 1, waiting: 1 });
  const end = await takeTurn();
  const controller = new AbortController();
  const leaving = takeTurn(controller.signal);
  controller.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  const next = takeTurn();
  end();
  (await next)();
});
