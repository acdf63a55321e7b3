import { useLiveChanges } from "#web/kit/live-changes.ts";
import { createQueryClient, queryKeys } from "#web/kit/query-client.ts";
import { recordingReporter } from "#web/test-support.tsx";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";

/** A stream on which this test is the server. jsdom has neither streams nor locks. */
class Stream extends EventTarget {
  static opened: Stream[] = [];
  constructor() {
    super();
    Stream.opened.push(this);
  }
  send(change: object) {
    this.dispatchEvent(new MessageEvent("change", { data: JSON.stringify(change) }));
  }
  close() {
    Stream.opened = [];
  }
}

test("RT-19 a tab that is older than the server ignores changes of kinds that it doesn't know, and goes on", () => {
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("navigator", {
    locks: { request: (_name: string, _options: object, lead: () => Promise<void>) => lead() },
  });
  const thrown: unknown[] = [];
  const note = (event: ErrorEvent) => {
    event.preventDefault();
    thrown.push(event.error);
  };
  window.addEventListener("error", note);
  onTestFinished(() => {
    cleanup();
    vi.unstubAllGlobals();
    window.removeEventListener("error", note);
  });
  const queries = createQueryClient(recordingReporter().reporter);
  queries.setQueryData(queryKeys.orders("1"), []);
  function Page() {
    useLiveChanges(true);
    return null;
  }
  render(
    <QueryClientProvider client={queries}>
      <Page />
    </QueryClientProvider>,
  );
  const [stream] = Stream.opened;
  for (const kind of ["returns", "user", "constructor"]) stream?.send({ realm_id: "1", kind });
  expect(queries.getQueryState(queryKeys.orders("1"))?.isInvalidated).toBe(false);
  stream?.send({ realm_id: "1", kind: "orders" });
  expect(queries.getQueryState(queryKeys.orders("1"))?.isInvalidated).toBe(true);
  expect(thrown).toEqual([]);
});
