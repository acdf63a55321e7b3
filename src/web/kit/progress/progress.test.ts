// @vitest-environment jsdom
import {
  idleProgress,
  nextProgress,
  type Progress,
  type ProgressEvent,
  shownProgress,
  useProgress,
  announcementFor,
} from "#web/kit/progress/progress.ts";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function start() {
  const hook = renderHook(() => useProgress());
  const state = () => hook.result.current[0];
  return {
    unmount: hook.unmount,
    move: (event: ProgressEvent) => hook.result.current[1](event),
    state,
    shown: () => shownProgress(state()),
    send: (...events: ProgressEvent[]) => act(() => events.forEach((event) => hook.result.current[1](event))),
    // One step a second, because each point starts the next second after the page has drawn.
    wait: (ms: number) => {
      for (let left = ms; left > 0; left -= 1000)
        act(() => void vi.advanceTimersByTime(Math.min(1000, left)));
    },
  };
}

const sentAll = [{ kind: "started" }, { kind: "sent", percent: 100 }] as const;

test("PG-01 the bar is idle, uploading or processing", () => {
  const bar = start();
  expect(bar.state()).toEqual(idleProgress);
  bar.send({ kind: "started" });
  expect(bar.state().phase).toBe("uploading");
  bar.send({ kind: "sent", percent: 100 });
  bar.wait(250);
  expect(bar.state().phase).toBe("processing");
});

test("PG-03 the shown value is the average of upload and creep", () => {
  const shown = (upload: number, creep: number) =>
    shownProgress({ phase: "processing", upload, creep, full: false });
  expect([shown(40, 0), shown(100, 0), shown(100, 30), shown(100, 100)]).toEqual([20, 50, 65, 100]);
});

test("PG-04 at 100 % of upload it moves to processing after 250 ms", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(249);
  expect(bar.state().phase).toBe("uploading");
  bar.wait(1);
  expect(bar.state().phase).toBe("processing");
});

test("PG-04 the 250 ms do not restart when 100 % is reported again", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(200);
  bar.send({ kind: "sent", percent: 100 });
  bar.wait(50);
  expect(bar.state().phase).toBe("processing");
});

test("PG-05 in processing it creeps one point a second", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(250);
  bar.wait(10_000);
  expect([bar.state().creep, bar.shown()]).toEqual([10, 55]);
});

test("PG-06 PG-07 when the work ends it shows full, and after 500 ms it is idle again", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(250);
  bar.send({ kind: "finished" });
  expect(bar.shown()).toBe(100);
  bar.wait(499);
  expect(bar.shown()).toBe(100);
  bar.wait(1);
  expect(bar.state()).toEqual(idleProgress);
});

test("PG-08 the creep stops at 99, so the bar is never full before the end", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(250);
  bar.wait(300_000);
  expect([bar.state().creep, bar.shown()]).toEqual([99, 99.5]);
  expect(vi.getTimerCount()).toBe(0);
});

test("PG-10 a failure makes it idle at once, never full", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(250);
  bar.send({ kind: "failed" });
  expect(bar.state()).toEqual(idleProgress);
  expect(vi.getTimerCount()).toBe(0);
});

test("PG-11 work that ends before everything was reported, or within the 250 ms, goes straight to full", () => {
  const early = start();
  early.send({ kind: "started" }, { kind: "sent", percent: 40 }, { kind: "finished" });
  expect(early.shown()).toBe(100);
  const quick = start();
  quick.send(...sentAll);
  quick.wait(100);
  quick.send({ kind: "finished" });
  expect(quick.shown()).toBe(100);
  quick.wait(499);
  expect(quick.shown()).toBe(100);
  quick.wait(1);
  expect(quick.state().phase).toBe("idle");
});

test("PG-06 the bar is full even if the response comes at the moment in which a waiting step ends", () => {
  for (const waited of [250, 1250, 2250]) {
    const bar = start();
    bar.send(...sentAll);
    bar.wait(waited - 1);
    act(() => {
      bar.move({ kind: "finished" });
      // The page has not drawn the end yet, and the timer of the step before is over.
      vi.advanceTimersByTime(1);
    });
    expect(bar.shown()).toBe(100);
    bar.wait(500);
    expect(bar.state()).toEqual(idleProgress);
    bar.unmount();
  }
});

test("PG-13 leaving the page during processing stops its timers", () => {
  const bar = start();
  bar.send(...sentAll);
  bar.wait(250);
  expect(vi.getTimerCount()).toBe(1);
  bar.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test("late events change nothing", () => {
  const idle = nextProgress(idleProgress, { kind: "sent", percent: 50 });
  expect([
    idle,
    nextProgress(idle, { kind: "finished" }),
    nextProgress(idle, { kind: "waited", of: idle }),
  ]).toEqual(Array(3).fill(idleProgress));
});

test("PG-12 each quarter, processing and the end are announced once", () => {
  const state = (more: Partial<Progress>): Progress => ({ ...idleProgress, phase: "uploading", ...more });
  const news = [0, 24, 25, 60, 75, 100].map((upload) => announcementFor(state({ upload }), "march.xlsx"));
  expect(news).toEqual([
    "Uploading march.xlsx",
    "Uploading march.xlsx",
    "25 percent",
    "50 percent",
    "75 percent",
    "75 percent",
  ]);
  expect(announcementFor(state({ phase: "processing", upload: 100 }), "m")).toBe("Processing");
  expect(announcementFor(state({ phase: "processing", full: true }), "m")).toBe("Upload complete");
  expect(announcementFor(idleProgress, "m")).toBeNull();
});
