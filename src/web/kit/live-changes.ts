import { followChanges } from "#features/companies/contract.ts";
import type { Change } from "#features/companies/contract.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

const CHANNEL = "dockside-changes";

/** While somebody is signed in, asks again for what the server says has changed. Polling stays as it is. */
export function useLiveChanges(signedIn: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!signedIn) return undefined;
    return subscribeToChanges(({ realm_id, kind }) => {
      const changed =
        kind === "invoices" ? [queryKeys.invoices(realm_id)] : [queryKeys.user, queryKeys.companies];
      for (const queryKey of changed) void queries.invalidateQueries({ queryKey });
    });
  }, [signedIn, queries]);
}

/**
 * Receives what changes on the server, for all tabs of this browser over one stream: the tab that gets the lock listens and
 * passes it to the others, since browsers allow few connections to one site. Where a browser lacks a part of this nothing
 * arrives, and polling does the work as before.
 * @returns a function that ends it
 */
function subscribeToChanges(listener: (change: Change) => void): () => void {
  if (!("EventSource" in globalThis && "BroadcastChannel" in globalThis && navigator.locks))
    return () => undefined;
  const stop = new AbortController();
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => listener(data as Change));
  const lead = () =>
    listen((change) => {
      listener(change);
      channel.postMessage(change);
    }, stop.signal);
  // Refused when the lock is given up while waiting for it: then this tab has ended anyway.
  navigator.locks.request(CHANNEL, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    channel.close();
  };
}

/** A browser gives a stream up for good after an answer that is none, for example while the server is replaced. */
const OPEN_AGAIN_MS = 15_000;

/** Holds the stream until stopped. */
function listen(listener: (change: Change) => void, stop: AbortSignal): Promise<void> {
  let stream: EventSource;
  const open = () => {
    if (stop.aborted) return;
    stream = new EventSource(followChanges.path);
    stream.addEventListener("change", ({ data }: MessageEvent<string>) =>
      listener(JSON.parse(data) as Change),
    );
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, OPEN_AGAIN_MS);
    });
  };
  open();
  return new Promise((resolve) => {
    stop.addEventListener("abort", () => {
      stream.close();
      resolve();
    });
  });
}
