import { sessionStore } from "#web/kit/storage.ts";
import { kitWords } from "#web/kit/words.ts";
import { type ComponentType, createElement, lazy, useState } from "react";

const KEY = "reloadedFor";

/** Milliseconds a chunk may take, as long as a call; then the page says so instead of waiting for ever. */
const CHUNK_MS = 30_000;
/** Milliseconds a reload may take to begin: who is asked whether to leave, and stays, is not left with a spinner. */
const RELOAD_MS = 5_000;

/** A page, and a way to load it before it is shown; then it is drawn at once, without a spinner between. */
export type LazyPage = ComponentType & { load(): Promise<unknown> };

/**
 * A page loaded when it is first shown. After a release the old chunks are gone: the page then reloads once by itself,
 * and shows the fallback screen when that did not help.
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
  // With the line gone a reload would only lose the page that is here.
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
  // Without storage nothing would stop a second reload, so there is no first.
  return !sessionStore.set(KEY, here);
}
