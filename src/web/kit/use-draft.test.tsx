import { forgetDrafts, useDraft } from "#web/kit/use-draft.ts";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

afterEach(() => {
  cleanup();
  window.sessionStorage.clear();
});

test("FR-42 typed text is restored when the page is reopened, until it is sent or the user signs out", () => {
  const open = () => renderHook(() => useDraft("message", "Hello")).result;
  const first = open();
  expect(first.current[0]).toBe("Hello");
  act(() => first.current[1]("Row 7 is wrong."));
  cleanup();
  const second = open();
  expect(second.current[0]).toBe("Row 7 is wrong.");
  act(() => second.current[2]());
  expect([second.current[0], open().current[0]]).toEqual(["Hello", "Hello"]);
  act(() => second.current[1]("Another."));
  forgetDrafts();
  expect(open().current[0]).toBe("Hello");
});
