import { safeStorage } from "#web/kit/storage.ts";

const KEY = "realmId";

/**
 * The page's current company. Kept in local storage under `realmId`; if storage is blocked, kept only by the
 * page.
 */
export type RealmStore = {
  get(): string | null;
  /** Sets the entry; null, or the text "null", removes it. */
  set(realmId: string | null): void;
  subscribe(listener: () => void): () => void;
};

/**
 * Creates a store on a storage, which is read once, so that another tab's switch does not affect this page.
 */
export function createRealmStore(storage: () => Storage): RealmStore {
  const listeners = new Set<() => void>();
  const kept = safeStorage(storage);
  let current = known(kept.get(KEY));
  return {
    get: () => current,
    set(realmId) {
      current = known(realmId);
      if (current === null) kept.remove(KEY);
      else kept.set(KEY, current);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page's own store. */
export const realmStore = createRealmStore(() => window.localStorage);

function known(realmId: string | null): string | null {
  return realmId === "" || realmId === "null" ? null : realmId;
}
