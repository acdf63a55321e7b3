import type { Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import { StripeFailure } from "#integrations/stripe/errors.ts";
import { scheduleAllEnds } from "#features/billing/change-payer.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { otherPayer } from "#features/billing/errors.ts";
import { isOwnAccount } from "#features/billing/rules.ts";
import {
  addAccount,
  endAccount,
  findAccount,
  findAccountByCustomer,
  findOtherPayer,
  nameCustomer,
} from "#features/billing/store-accounts.ts";
import type { Account } from "#features/billing/tables.ts";

export type CustomerAccount = Account & { customer_id: string };

/**
 * Finds the account that pays for a company, with its Stripe customer, or creates it for the first
 * payer and for one after a user who pays nothing any more. Requires the company's payment lock.
 * @throws AppError 403 when another user pays
 */
export async function ensureAccount(ctx: PaidCtx, company: Company, user: User): Promise<CustomerAccount> {
  const { realmId } = company;
  const other = await findOtherPayer(ctx.db, realmId, user.id);
  if (other) throw otherPayer(other.email);
  const known = await findAccount(ctx.db, realmId);
  const isOwn = known && isOwnAccount(known, user.id);
  if (known && !isOwn) {
    // A card form that its user left open must not take money beside the caller's.
    await scheduleAllEnds(ctx, realmId);
    await endAccount(ctx.db, known, ctx.clock.now());
  }
  const account = isOwn ? known : await open(ctx, company, user);
  if (account.customer_id !== null) return { ...account, customer_id: account.customer_id };
  const customerId = await makeCustomer(ctx, account, company.name);
  await nameCustomer(ctx.db, account, customerId);
  return { ...account, customer_id: customerId };
}

/**
 * Ends the account whose customer was deleted at Stripe; the next payment creates a new customer.
 * @throws any other failure
 */
export async function dropAccount(ctx: PaidCtx, realmId: string, failure: unknown): Promise<void> {
  if (!(failure instanceof StripeFailure) || failure.kind !== "customer_gone") throw failure;
  const account = await findAccount(ctx.db, realmId);
  if (account) await endAccount(ctx.db, account, ctx.clock.now());
}

/**
 * Uses a customer that no account has: one whose creation got no answer, or was forgotten with a restored
 * backup and may be paying. Otherwise creates one.
 */
async function makeCustomer(ctx: PaidCtx, account: Account, name: string): Promise<string> {
  const { id: accountId, email, realm_id: realmId } = account;
  for (const id of await ctx.payments.listCustomers({ email, realmId }))
    if (!(await findAccountByCustomer(ctx.db, id))) return id;
  try {
    return await ctx.payments.createCustomer({ accountId, email, name, realmId });
  } catch (error) {
    // Stripe replays its own failure under a key for a day, and refuses a changed name or address under it:
    // the next attempt needs another key.
    if (error instanceof StripeFailure && (error.http === 500 || KEY_IS_USELESS.has(error.kind)))
      await endAccount(ctx.db, account, ctx.clock.now());
    throw error;
  }
}

const KEY_IS_USELESS: ReadonlySet<StripeFailure["kind"]> = new Set(["refused", "key_conflict"]);

/** Stored before Stripe is called: its id is the idempotency key for creating the customer. */
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
