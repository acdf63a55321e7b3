import { sessionStore } from "#web/kit/storage.ts";
import { kitWords } from "#web/kit/words.ts";
import { type ComponentType, createElement, lazy, useState } from "react";

const KEY = "reloadedFor";

/**
 * Time limit for loading a chunk, the same as for a call; then the page reports a failure instead of waiting
 * forever.
 */
const CHUNK_MS = 30_000;
/** Time limit for a reload to start: a user who declines to leave must not be left with a spinner. */
const RELOAD_MS = 5_000;

/** A page that can be loaded before it is shown, and then renders without a spinner. */
export type LazyPage = ComponentType & { load(): Promise<unknown> };

/**
 * Creates a page loaded when first shown. After a release the old chunks are gone: the page then reloads once
 * by itself, and shows the fallback screen if that did not help.
 */
export function lazyPage<const N extends string>(
  load: () => Promise<{ [K in N]: ComponentType }>,
  name: N,
): LazyPage {
  let ready: ComponentType | null = null;
  const loadOnce = async () => {
    const chunk = await Promise.race([load().catch(reloadOnce), after(CHUNK_MS)]);
    if (chunk === LATE) throw new Error(kitWords.pageLate);
    ready = chunk[name];
    sessionStore.remove(KEY);
    return { default: ready };
  };
  const Loading = lazy(loadOnce);
  const Page = () => createElement(useState(() => ready ?? Loading)[0]);
  return Object.assign(Page, { load: loadOnce });
}

async function reloadOnce(error: unknown): Promise<never> {
  // Offline, a reload would only lose the current page.
  if (!navigator.onLine) throw new Error(kitWords.pageLate);
  if (reloadedAlready()) throw error;
  window.location.reload();
  await after(RELOAD_MS);
  throw error;
}

const LATE = Symbol("late");

const after = (ms: number): Promise<typeof LATE> =>
  new Promise((resolve) => setTimeout(() => resolve(LATE), ms));

function reloadedAlready(): boolean {
  const here = window.location.pathname;
  if (sessionStore.get(KEY) === here) return true;
  // Without storage nothing would prevent a reload loop, so it does not reload at all.
  return !sessionStore.set(KEY, here);
}
