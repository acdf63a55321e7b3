import { sessionStore } from "#web/kit/storage.ts";

const KEY = "cell";
const HOME = "home";

/**
 * The database that Admin shows, by its name, for installations with several; the first one unless an operator chose another in
 * this tab. Null outside of Admin, where the company of a call decides.
 */
export const chosenCell = (): string | null =>
  window.location.pathname.startsWith("/controller") ? (sessionStore.get(KEY) ?? HOME) : null;

/** Shows another database in Admin from now on. */
export const chooseCell = (cell: string): boolean => sessionStore.set(KEY, cell);
