import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ThreadsBusy } from "#platform/threads/errors.ts";
import { createTurns } from "#platform/threads/take-turn.ts";

const A = "company A";
const B = "company B";

test("at most as many workbooks are read at once as there are slots; the others follow in order of arrival", async () => {
  const takeTurn = createTurns({ places: 2, placesPerOwner: 2, waitingPerOwner: 9 });
  const [endFirst, endSecond] = [await takeTurn(A), await takeTurn(A)];
  const came: string[] = [];
  const third = takeTurn(A).then((end) => (came.push("third"), end));
  const fourth = takeTurn(A).then((end) => (came.push("fourth"), end));
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

test("one company never holds all slots, and another's workbook is read at once however many wait", async () => {
  const takeTurn = createTurns({ places: 2, placesPerOwner: 1, waitingPerOwner: 40 });
  const end = await takeTurn(A);
  const waiting = Array.from({ length: 39 }, () => takeTurn(A).then((endOwn) => endOwn()));
  (await takeTurn(B))();
  end();
  await Promise.all(waiting);
});

test("waiting companies are served in rotation", async () => {
  const takeTurn = createTurns({ places: 1, placesPerOwner: 1, waitingPerOwner: 9 });
  const end = await takeTurn(A);
  const came: string[] = [];
  const waiting = [A, A, A, B, B].map((owner) =>
    takeTurn(owner).then((endOwn) => {
      came.push(owner);
      endOwn();
    }),
  );
  end();
  await Promise.all(waiting);
  expect(came).toEqual([A, B, A, B, A]);
});

test("when too many of a company already wait, one more is turned away, and another company's is not", async () => {
  const takeTurn = createTurns({ places: 1, placesPerOwner: 1, waitingPerOwner: 1 });
  const end = await takeTurn(A);
  const [waiting, other] = [takeTurn(A), takeTurn(B)];
  await expect(takeTurn(A)).rejects.toBeInstanceOf(ThreadsBusy);
  end();
  (await waiting)();
  (await other)();
  (await takeTurn(A))();
});

test("a caller that gives up while waiting leaves the queue and takes no slot", async () => {
  const takeTurn = createTurns({ places: 1, placesPerOwner: 1, waitingPerOwner: 1 });
  const end = await takeTurn(A);
  const controller = new AbortController();
  const leaving = takeTurn(A, controller.signal);
  controller.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  const next = takeTurn(A);
  end();
  (await next)();
});
