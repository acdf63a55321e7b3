// @vitest-environment jsdom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useLeaveWarning } from "#web/kit/use-leave-warning.ts";

afterEach(cleanup);

/** Whether the browser would ask before leaving. */
const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

test("UP-26 the browser asks before leaving only while bytes are being sent", () => {
  const hook = renderHook(({ sending }) => useLeaveWarning(sending), { initialProps: { sending: false } });
  expect(asks()).toBe(false);
  hook.rerender({ sending: true });
  expect(asks()).toBe(true);
  hook.rerender({ sending: false });
  expect(asks()).toBe(false);
  hook.rerender({ sending: true });
  hook.unmount();
  expect(asks()).toBe(false);
});
