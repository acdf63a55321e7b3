import type { ApiCall } from "./api-call.ts";
import { companyInfo, preferences } from "./company-objects.ts";
import { runQuery } from "./query-run.ts";
import type { Fields, WriteContext } from "./write-context.ts";

export function writeContext(call: ApiCall): WriteContext {
  return { sim: call.sim, company: call.company, who: call.who, hiddenS: call.hiddenS };
}

/** Runs a statement for a call or for an item of its batch. @throws ApiFault 4000, 4001 */
export function runStatement(call: ApiCall, statement: string): Fields {
  const { sim, company } = call;
  const extra = { CompanyInfo: companyInfo(company), Preferences: preferences(company) };
  const { response, rows } = runQuery(sim, company.realmId, { statement, extra });
  call.tally.reads += rows;
  return response;
}
