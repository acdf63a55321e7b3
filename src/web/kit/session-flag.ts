import { sessionStore } from "#web/kit/storage.ts";

/** Something remembered until the tab is closed; where storage is blocked the caller keeps its own state. */
export function sessionFlag(key: string) {
  return {
    get: (): boolean => sessionStore.get(key) === "1",
    set: (): void => void sessionStore.set(key, "1"),
  };
}
