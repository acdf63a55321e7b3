import type { Ctx } from "#platform/ctx.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";

/** Name of the first database, which has all users and sessions, and companies too. */
export const HOME = "home";

/** One of the databases that companies are divided among. */
export type Cell = Ctx & { cell: string };

/** Changes of one database. */
export type CellFeed = Cell & { changes: ChangeFeed };

/** All databases of an installation, the first one included. */
export type Installation = { home: Cell; cells: readonly Cell[] };

/** An installation with one database. */
export function onlyHome(ctx: Ctx): Installation {
  const home = { ...ctx, cell: HOME };
  return { home, cells: [home] };
}

/**
 * Asks every database. One that fails is left out, so that companies of the others can work; if the first one fails, so does
 * the call.
 */
export async function askCells<Answer>(
  { home, cells }: Installation,
  ask: (cell: Cell) => Promise<Answer>,
): Promise<{ cell: Cell; answer: Answer }[]> {
  const asked = cells.map(async (cell) => {
    try {
      return [{ cell, answer: await ask(cell) }];
    } catch (error) {
      if (cell.cell === home.cell) throw error;
      cell.log.warn({ err: error, cell: cell.cell }, "A database was left out, because it failed");
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

/**
 * Hands a vendor's message to every database; each keeps what is about its companies. One that fails fails the call, so that
 * the vendor sends the message again, which is harmless.
 */
export async function isTakenByAll(
  { cells }: Installation,
  take: (cell: Cell) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(cells.map(take))).every(Boolean);
}
