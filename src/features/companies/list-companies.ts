import type * as z from "zod";
import type { Ctx } from "#platform/ctx.ts";
import type { User } from "#features/identity/index.ts";
import type { company } from "#features/companies/contract.ts";
import { isCompanyAdmin, WARN_BEFORE_END_MS, type Company } from "#features/companies/rules.ts";
import { findCompanyDetails, type CompanyDetails } from "#features/companies/store.ts";

export type CompanyReply = z.input<typeof company>;

/** Lists the companies of a user, with users and settings if the user is the company's admin. */
export async function listCompanies(ctx: Ctx, user: User): Promise<{ companies: CompanyReply[] }> {
  const now = ctx.clock.now();
  const rows = await findCompanyDetails(ctx.db, user.id, { now });
  return { companies: rows.map((row) => toReply(row, user, now)) };
}

/** Reads one company of a user; undefined if it is disconnected or not theirs. */
export async function readCompany(
  ctx: Ctx,
  user: User,
  { realmId }: Company,
): Promise<CompanyReply | undefined> {
  const now = ctx.clock.now();
  const [row] = await findCompanyDetails(ctx.db, user.id, { now, realmId });
  return row && toReply(row, user, now);
}

const toReply = (row: CompanyDetails, user: User, now: Date): CompanyReply => ({
  id: row.realm_id,
  name: row.name,
  admin: row.adminEmail,
  services: row.services,
  connection: row.connection,
  ...reconnectDate(row, now),
  ...(isCompanyAdmin({ adminId: row.admin_id }, user.id) ? adminDetails(row) : {}),
});

function reconnectDate({ connection, hardEndsAt }: CompanyDetails, now: Date): { reconnect_by?: string } {
  if (connection !== "connected" || !hardEndsAt) return {};
  const isNear = hardEndsAt.getTime() - now.getTime() <= WARN_BEFORE_END_MS;
  return isNear ? { reconnect_by: hardEndsAt.toISOString() } : {};
}

const adminDetails = (row: CompanyDetails) => ({
  paid_services: row.paid,
  ...(row.unpaidUntil ? { unpaid_until: row.unpaidUntil.toISOString() } : {}),
  authorized_users: row.members,
  invited_users: row.invited,
  ...(row.linkedAt && row.usedAt
    ? {
        ups_connection: {
          by: row.linkedBy,
          at: row.linkedAt.toISOString(),
          used_at: row.usedAt.toISOString(),
        },
      }
    : {}),
  settings: {
    contact_email: row.contact_email,
    ups_account: row.ups_account,
    ups_state: row.ups_state,
    attach_pods: toFlag(row.attach_pods),
    pods_on_send: toFlag(row.pods_on_send),
    pods_together: toFlag(row.pods_together),
    freight_on_invoices: toFlag(row.freight_since !== null),
    invoice_lookback: row.invoice_lookback_days,
  },
});

const toFlag = (isSet: boolean) => (isSet ? ("true" as const) : ("false" as const));
