import { type ComponentType, lazy } from "react";

const KEY = "reloadedFor";

/**
 * A page loaded when it is first shown. After a release the old chunks are gone: the page then reloads once by itself,
 * and shows the fallback screen when that did not help.
 */
export function lazyPage<const N extends string>(
  load: () => Promise<{ [K in N]: ComponentType }>,
  name: N,
): ComponentType {
  return lazy(async () => {
    try {
      const page: ComponentType = (await load())[name];
      window.sessionStorage.removeItem(KEY);
      return { default: page };
    } catch (error) {
      if (reloadedAlready()) throw error;
      window.location.reload();
      return new Promise<never>(() => undefined);
    }
  });
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
