import type * as z from "zod";
import type { Ctx } from "#platform/ctx.ts";
import type { User } from "#features/identity/index.ts";
import type { company } from "#features/companies/contract.ts";
import { isCompanyAdmin } from "#features/companies/rules.ts";
import { findCompanyDetailsOf, type CompanyDetails } from "#features/companies/store.ts";

type CompanyReply = z.input<typeof company>;

/** The companies of a user; users and settings only where the user is the company's admin. */
export async function listCompanies(ctx: Ctx, user: User): Promise<{ companies: CompanyReply[] }> {
  const companies = await findCompanyDetailsOf(ctx.db, user.email);
  return { companies: companies.map((details) => toReply(details, user)) };
}

function toReply(details: CompanyDetails, user: User): CompanyReply {
  const common = {
    id: details.realmId,
    name: details.name,
    admin: details.adminEmail,
    services: details.services,
    connection: details.connection,
  };
  if (!isCompanyAdmin(details, user.email)) return common;
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
