import { isCompanyAdmin, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { noAccount, notThePayer, otherPayer, toAppError } from "#features/billing/errors.ts";
import { isOwnAccount } from "#features/billing/rules.ts";
import { findAccount, findOtherPayer } from "#features/billing/store-accounts.ts";

/**
 * Opens the billing portal for the payer, admin or not. The address is a short-lived credential, so
 * it is neither stored nor logged.
 * @throws AppError 404 before the first payment, 403 when another user pays, 503 when Stripe does not answer
 */
export async function openPortal(ctx: PaidCtx, company: Company, user: User): Promise<string> {
  const account = await findAccount(ctx.db, company.realmId);
  if (!isCompanyAdmin(company, user.id) && account?.payer_id !== user.id) throw notThePayer();
  const other = await findOtherPayer(ctx.db, company.realmId, user.id);
  if (other) throw otherPayer(other.email);
  if (!account?.customer_id || !isOwnAccount(account, user.id)) throw noAccount();
  try {
    return await ctx.payments.openPortal({ customerId: account.customer_id, returnUrl: ctx.settingsUrl });
  } catch (error) {
    throw toAppError(error);
  }
}
