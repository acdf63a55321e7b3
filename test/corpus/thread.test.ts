import { expect, test } from "vitest";
import { spellSegment, readByNodeX12, readByX12Parser } from "#formats/x12/fixtures/other-readers.ts";
import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { findThreadFaults, sumThreads } from "./check-thread.ts";
import { playThread } from "./play-thread.ts";

test("TD-22 of 300 random orders the same pieces and cents are ordered, packed, announced, billed and sent as 810, in all", () => {
  const found = Array.from({ length: 300 }, (_, seed) => findThreadFaults(seed));
  expect(found.flatMap(({ faults }) => faults)).toEqual([]);
  const { sent, waiting } = sumThreads(found);
  expect(sent).toBeGreaterThan(300);
  expect(waiting).toBeGreaterThan(0);
});

/** The segments of files, as three readers agree on them. */
async function readByAll(files: readonly Buffer[]): Promise<string[][]> {
  const segments: string[][] = [];
  for (const file of files) {
    const ours = readSets(file).flatMap((set) => set.segments.map(spellSegment));
    const theirs = readByNodeX12(file.toString());
    expect(theirs).toEqual(ours);
    expect(await readByX12Parser(file.toString())).toEqual(ours);
    segments.push(...theirs.map((segment) => segment.split("*")));
  }
  return segments;
}

test("TD-22 two other readers find the same segments, pieces and cents in the ship notices, invoices and acknowledgments that are written", async () => {
  let acknowledged = 0;
  for (let seed = 0; seed < 25; seed += 1) {
    const { posted, shipNotices, acknowledgments, cartons, withdrawn } = playThread(seed);
    for (const { document, canceled } of acknowledgments) {
      const rejected = (await readByAll([document])).filter(
        ([name, status]) => name === "ACK" && status === "IR",
      );
      expect(rejected.reduce((sum, [, , quantity]) => sum + Number(quantity), 0)).toBeCloseTo(canceled, 6);
      acknowledged += 1;
    }
    const segments = await readByAll([...shipNotices, ...posted.flatMap(({ document }) => document ?? [])]);
    const sum = (name: string, at: number) =>
      segments.reduce((all, segment) => all + (segment[0] === name ? Number(segment[at]) : 0), 0);
    const announced = [...cartons, ...withdrawn].reduce((all, { quantity }) => all + Number(quantity), 0);
    expect(sum("SN1", 2)).toBeCloseTo(announced, 6);
    const sent = posted.filter(({ document }) => document !== null);
    expect(sum("TDS", 1)).toBe(
      sent.reduce((all, { booked }) => all + Math.round(Number(booked.total) * 100), 0),
    );
  }
  expect(acknowledged).toBeGreaterThan(10);
});
