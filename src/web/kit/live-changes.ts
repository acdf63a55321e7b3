import { CHANGE_KINDS, followChanges } from "#features/companies/contract.ts";
import type { Change } from "#features/companies/contract.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

const CHANNEL = "dockside-changes";

/** A server that is newer than this page may report other kinds. */
const KINDS: ReadonlySet<string> = new Set(CHANGE_KINDS);

/** Refetches data that the server reports as changed while a user is signed in, in addition to polling. */
export function useLiveChanges(signedIn: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!signedIn) return undefined;
    return subscribeToChanges(({ realm_id, kind }) => {
      if (!KINDS.has(kind)) return;
      const changed =
        kind === "companies" ? [queryKeys.user, queryKeys.companies] : [queryKeys[kind](realm_id)];
      for (const queryKey of changed) void queries.invalidateQueries({ queryKey });
    });
  }, [signedIn, queries]);
}

/**
 * Receives changes from the server for all tabs of this browser over one stream: the tab with the lock
 * listens and forwards them, because browsers allow few connections per site. A browser without these
 * features relies on polling.
 * @returns a function that unsubscribes
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
  // Rejects if the wait for the lock is aborted; then this tab has ended anyway.
  navigator.locks.request(CHANNEL, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    channel.close();
  };
}

/** A browser permanently closes a stream after a failed answer, for example while the server restarts. */
const OPEN_AGAIN_MS = 15_000;

/** Keeps the stream open until stopped. */
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
