import { createAnnouncer } from "#web/kit/live-region.tsx";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.useRealTimers());

function setUp() {
  vi.useFakeTimers({ now: 0 });
  const said: [number, string][] = [];
  return { said, ...createAnnouncer((text) => said.push([Date.now(), text])) };
}

test("PG-12 at most one message a second is announced, and only the latest progress", () => {
  const { said, announce } = setUp();
  announce("Uploading march.xlsx");
  announce("25 percent", { passing: true });
  vi.advanceTimersByTime(400);
  announce("Processing", { passing: true });
  vi.advanceTimersByTime(599);
  expect(said).toEqual([[0, "Uploading march.xlsx"]]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([
    [0, "Uploading march.xlsx"],
    [1000, "Processing"],
  ]);
});

test("AY-07 a completed action is announced even when more messages follow within the second", () => {
  const { said, announce } = setUp();
  announce("The check was dropped.");
  announce("The columns are remembered.");
  announce("Uploading march.xlsx", { passing: true });
  announce("march.xlsx finished");
  vi.advanceTimersByTime(2000);
  expect(said).toEqual([
    [0, "The check was dropped."],
    [1000, "The columns are remembered."],
    [2000, "march.xlsx finished"],
  ]);
});

test("a repeat within a second is dropped, a later one is announced again", () => {
  const { said, announce } = setUp();
  announce("Copied");
  vi.advanceTimersByTime(500);
  announce("Copied");
  vi.advanceTimersByTime(1000);
  expect(said).toHaveLength(1);
  announce("Copied");
  expect(said).toHaveLength(2);
});

test("a region that has left the page announces nothing more", () => {
  const { said, announce, stop } = setUp();
  announce("march.xlsx finished");
  announce("april.xlsx finished");
  stop();
  vi.advanceTimersByTime(5000);
  expect(said).toEqual([[0, "march.xlsx finished"]]);
});
