import { safeStorage } from "#web/kit/storage.ts";

const KEY = "realmId";

/** The company this page acts for. Kept in local storage under `realmId`; blocked storage leaves it to the page. */
export type RealmStore = {
  get(): string | null;
  /** None, or the text "null", removes the entry. */
  set(realmId: string | null): void;
  subscribe(listener: () => void): () => void;
};

/** Makes a store over a storage; the storage is read once, so another tab's switch does not reach this page. */
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
