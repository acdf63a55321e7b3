// @vitest-environment jsdom
import { createAnnouncer } from "#web/kit/announcer.ts";
import { fakeTimers } from "#web/test-support.tsx";
import { expect, test } from "vitest";

function setUp() {
  const timers = fakeTimers();
  const said: [number, string][] = [];
  return { timers, said, ...createAnnouncer(timers, (text) => said.push([timers.now(), text])) };
}

test("PG-12 at most one message a second is said, and of how far something is only the latest", () => {
  const { timers, said, announce } = setUp();
  announce("Uploading march.xlsx");
  announce("25 percent", { passing: true });
  timers.advance(400);
  announce("Processing", { passing: true });
  timers.advance(599);
  expect(said).toEqual([[0, "Uploading march.xlsx"]]);
  timers.advance(1);
  expect(said).toEqual([
    [0, "Uploading march.xlsx"],
    [1000, "Processing"],
  ]);
});

test("AY-07 what is done is said even when more is to be said within the second", () => {
  const { timers, said, announce } = setUp();
  announce("The check was dropped.");
  announce("The columns are remembered.");
  announce("Uploading march.xlsx", { passing: true });
  announce("march.xlsx finished");
  timers.advance(2000);
  expect(said).toEqual([
    [0, "The check was dropped."],
    [1000, "The columns are remembered."],
    [2000, "march.xlsx finished"],
  ]);
});

test("a repeat within a second is dropped, a later one is said again", () => {
  const { timers, said, announce } = setUp();
  announce("Copied");
  timers.advance(500);
  announce("Copied");
  timers.advance(1000);
  expect(said).toHaveLength(1);
  announce("Copied");
  expect(said).toHaveLength(2);
});

test("a region that has left the page says nothing more", () => {
  const { timers, said, announce, stop } = setUp();
  announce("march.xlsx finished");
  announce("april.xlsx finished");
  stop();
  timers.advance(5000);
  expect(said).toEqual([[0, "march.xlsx finished"]]);
});
