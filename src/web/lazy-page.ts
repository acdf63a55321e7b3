import { type ComponentType, createElement, lazy, useState } from "react";

const KEY = "reloadedFor";

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
    try {
      ready = (await load())[name];
      forgetReload();
      return { default: ready };
    } catch (error) {
      if (reloadedAlready()) throw error;
      window.location.reload();
      return new Promise<never>(() => undefined);
    }
  };
  const Late = lazy(loadOnce);
  const Page = () => createElement(useState(() => ready ?? Late)[0]);
  return Object.assign(Page, { load: loadOnce });
}

function forgetReload() {
  try {
    window.sessionStorage.removeItem(KEY);
  } catch {
    // Blocked storage: nothing was remembered.
  }
}

function reloadedAlready(): boolean {
  try {
    const here = window.location.pathname;
    if (window.sessionStorage.getItem(KEY) === here) return true;
    window.sessionStorage.setItem(KEY, here);
    return false;
  } catch {
    // Without storage nothing would stop a second reload, so there is no first.
    return true;
  }
}
