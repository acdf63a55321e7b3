import { useSyncExternalStore } from "react";

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

const blocked = new Set<string>();
const watchers = new Set<() => void>();

function watch(change: () => void): () => void {
  watchers.add(change);
  return () => watchers.delete(change);
}

/** A flag remembered until the tab is closed, and by the page alone where storage is blocked. All who use it see it set. */
export function useSessionFlag(key: string): [isSet: boolean, set: () => void] {
  const isSet = useSyncExternalStore(
    watch,
    () => blocked.has(key) || sessionStore.get(key) === "1",
    () => false,
  );
  const set = () => {
    if (!sessionStore.set(key, "1")) blocked.add(key);
    for (const change of watchers) change();
  };
  return [isSet, set];
}
