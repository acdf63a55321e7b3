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
  let current = known(attempt(() => storage().getItem(KEY)));
  return {
    get: () => current,
    set(realmId) {
      current = known(realmId);
      attempt(() => (current === null ? storage().removeItem(KEY) : storage().setItem(KEY, current)));
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

function known(realmId: string | null | undefined): string | null {
  return realmId === undefined || realmId === null || realmId === "" || realmId === "null" ? null : realmId;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
