import { sql } from "kysely";
import { HOME } from "#platform/cells.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { joinAs } from "../../../test/support/members.ts";
import { startApp } from "../../../test/support/start-app.ts";

/** Acme lives in the first database, Bay in the second, and Acme's owner is a user of both. */
export async function openCells(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp({ ...options, hasCells: true });
  await sql`insert into company_cell (realm_id, cell, placed_at) values (${ACME}, ${HOME}, now())`.execute(
    app.home,
  );
  const platform = await app.owner(BAY, "platform@dockside.example");
  const owner = await app.owner(ACME);
  await joinAs(app, platform, { realmId: BAY, email: "owner@acme.example" });
  return { app, owner, platform };
}
