import type * as z from "zod";
import type { Ctx } from "#platform/ctx.ts";
import type { Person } from "#features/identity/index.ts";
import type { company } from "#features/companies/contract.ts";
import { isCompanyAdmin } from "#features/companies/rules.ts";
import { findCompanyDetailsOf, type CompanyDetails } from "#features/companies/store.ts";

type CompanyReply = z.input<typeof company>;

/** The companies of a person; users and settings only where the person is the company's admin. */
export async function listCompanies(ctx: Ctx, person: Person): Promise<{ companies: CompanyReply[] }> {
  const companies = await findCompanyDetailsOf(ctx.db, person.email);
  return { companies: companies.map((details) => toReply(details, person)) };
}

function toReply(details: CompanyDetails, person: Person): CompanyReply {
  const common = {
    id: details.realmId,
    name: details.name,
    admin: details.adminEmail,
    services: details.services,
    connection: details.connection,
  };
  if (!isCompanyAdmin(details, person.email)) return common;
  return {
    ...common,
    authorized_users: details.members,
    settings: {
      contact_email: details.contactEmail,
      ups_account: details.upsAccount,
      attach_pods: details.attachPods ? "true" : "false",
      invoice_lookback: details.invoiceLookbackDays,
    },
  };
}
