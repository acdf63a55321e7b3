// @vitest-environment jsdom
import { createAnnouncer } from "#web/kit/announcer.ts";
import { fakeTimers } from "#web/test-support.tsx";
import { expect, test } from "vitest";

function setUp() {
  const timers = fakeTimers();
  const said: [number, string][] = [];
  return { timers, said, announce: createAnnouncer(timers, (text) => said.push([timers.now(), text])) };
}

test("PG-12 at most one message a second is said, and the latest wins", () => {
  const { timers, said, announce } = setUp();
  announce("Uploading march.xlsx");
  announce("25 percent");
  timers.advance(400);
  announce("Processing");
  timers.advance(599);
  expect(said).toEqual([[0, "Uploading march.xlsx"]]);
  timers.advance(1);
  expect(said).toEqual([
    [0, "Uploading march.xlsx"],
    [1000, "Processing"],
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
