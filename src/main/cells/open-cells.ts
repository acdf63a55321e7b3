import type { Installation, Cell } from "#platform/cells.ts";
import type { Ctx } from "#platform/ctx.ts";
import { createApplication, type Application } from "../application.ts";
import { openDirectory } from "./directory.ts";
import type { CellPlace } from "./list-cells.ts";

type Options = Omit<
  Parameters<typeof createApplication>[0],
  "config" | "ctx" | "installation" | "placeCompany"
>;

/** A database and the application on it. */
export type OpenCell = { connectionString: string; application: Application };

/**
 * Creates an application on each database, the first one first.
 * @param places with the context of each
 * @throws ConfigFaults if companies live in a database that is not configured
 */
export async function openCells(
  places: readonly (CellPlace & { ctx: Ctx })[],
  options: Options,
): Promise<OpenCell[]> {
  const cells = places.map(({ cell, ctx }): Cell => ({ ...ctx, cell }));
  const [home] = cells;
  if (!home) throw new Error("There is no database.");
  const installation: Installation = { home, cells };
  const directory = await openDirectory(installation);
  const opened: OpenCell[] = [];
  for (const { cell, config, ctx, connectionString } of places) {
    const placeCompany = async (realmId: string) => (await directory.place(realmId, cell)) === cell;
    const isAlone = places.length === 1;
    const application = await createApplication({
      ...options,
      config,
      ctx,
      installation,
      ...(isAlone ? {} : { placeCompany }),
    });
    opened.push({ connectionString, application });
  }
  return opened;
}
