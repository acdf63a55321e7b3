import type { Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { otherPayer } from "#features/billing/errors.ts";
import { addAccount, findAccount, nameCustomer } from "#features/billing/store-accounts.ts";
import type { Account } from "#features/billing/tables.ts";

export type CustomerAccount = Account & { customer_id: string };

/**
 * The account that pays for a company, with its customer at Stripe; made for the first who pays. Only inside the lease
 * of the company's payments.
 * @throws AppError 403 when somebody else pays
 */
export async function ensureAccount(ctx: PaidCtx, company: Company, user: User): Promise<CustomerAccount> {
  const account = (await findAccount(ctx.db, company.realmId)) ?? (await open(ctx, company, user));
  if (account.payer_id !== null && account.payer_id !== user.id) throw otherPayer(account.email);
  if (account.customer_id !== null) return { ...account, customer_id: account.customer_id };
  const customerId = await ctx.payments.createCustomer({
    key: `customer-${account.id}`,
    email: account.email,
    name: company.name,
    realmId: company.realmId,
  });
  await nameCustomer(ctx.db, account, customerId);
  return { ...account, customer_id: customerId };
}

/** Stored before Stripe is asked: its id is the key under which the customer is made once. */
async function open(ctx: PaidCtx, company: Company, user: User): Promise<Account> {
  const account: Account = {
    realm_id: company.realmId,
    id: ctx.ids.uuid(),
    payer_id: user.id,
    email: user.email,
    customer_id: null,
    created_at: ctx.clock.now(),
    ended_at: null,
  };
  await addAccount(ctx.db, account);
  return account;
}
