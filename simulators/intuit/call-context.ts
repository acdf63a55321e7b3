import type { ApiCall } from "./api-call.ts";
import { companyInfo, preferences } from "./company-objects.ts";
import { runQuery } from "./query-run.ts";
import { readSettings } from "./settings.ts";
import type { Fields, WriteContext } from "./write-context.ts";

export function writeContext(call: ApiCall): WriteContext {
  return { sim: call.sim, company: call.company, who: call.who };
}

/** Runs a statement for a call or for an item of its batch. @throws ApiFault 4000, 4001 */
export function queryOf(call: ApiCall, statement: string): Fields {
  const { sim, company } = call;
  const extra = { CompanyInfo: companyInfo(company), Preferences: preferences(company) };
  const shownUntil = new Date(sim.clock.now().getTime() - readSettings(sim).queryLagS * 1000);
  const { response, rows } = runQuery(sim.books, company.realmId, { statement, extra, shownUntil });
  call.tally.reads += rows;
  return response;
}
