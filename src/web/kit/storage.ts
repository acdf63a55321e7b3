import { useState } from "react";

/** Wraps the browser's storage; if storage is blocked, nothing is kept and nothing is thrown. */
export function safeStorage(storage: () => Storage) {
  return {
    /** Null if storage is blocked, too. */
    get: (key: string): string | null => attempt(() => storage().getItem(key)) ?? null,
    /** @returns whether it was kept */
    set: (key: string, text: string): boolean =>
      attempt(() => {
        storage().setItem(key, text);
        return true;
      }) ?? false,
    remove: (key: string): void => attempt(() => storage().removeItem(key)),
    keys: (): string[] => attempt(() => Object.keys(storage())) ?? [],
  };
}

/** Keeps texts until the tab is closed. */
export const sessionStore = safeStorage(() => window.sessionStorage);

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** A flag remembered until the tab is closed; if storage is blocked, only by the page. */
export function useSessionFlag(key: string): [isSet: boolean, set: () => void] {
  const [isSet, setState] = useState(() => sessionStore.get(key) === "1");
  const set = () => {
    setState(true);
    sessionStore.set(key, "1");
  };
  return [isSet, set];
}
