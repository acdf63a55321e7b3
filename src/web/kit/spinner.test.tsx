import { Loading } from "#web/kit/spinner.tsx";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  // Before the real timers are back: restored later, a spy would put the fake one in their place, for all files after this.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const page = (isBusy: boolean) => (
  <Loading isBusy={isBusy} label="Loading uploads">
    <p>3 uploads</p>
  </Loading>
);
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const shown = () => [
  screen.queryByRole("progressbar", { name: "Loading uploads" }) !== null,
  screen.queryByText("3 uploads") !== null,
];

test("FR-28 an answer within 200 ms is shown at once, without a flash of the spinner", () => {
  const { rerender } = render(page(true));
  pass(199);
  expect(shown()).toEqual([false, false]);
  rerender(page(false));
  expect(shown()).toEqual([false, true]);
});

test("FR-28 a spinner appears after 200 ms and stays at least 400 ms, then the content replaces it", () => {
  const { rerender } = render(page(true));
  pass(200);
  expect(shown()).toEqual([true, false]);
  pass(50);
  rerender(page(false));
  pass(349);
  expect(shown()).toEqual([true, false]);
  pass(1);
  expect(shown()).toEqual([false, true]);
});

test("FR-28 content that took longer is shown as soon as it arrives, after no time below zero", () => {
  const waits = vi.spyOn(globalThis, "setTimeout");
  const { rerender } = render(page(true));
  pass(5000);
  rerender(page(false));
  pass(0);
  expect(shown()).toEqual([false, true]);
  expect(Math.min(...waits.mock.calls.map(([, ms]) => ms ?? 0))).toBeGreaterThanOrEqual(0);
});
