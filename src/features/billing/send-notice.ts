import { findTimeZone, type Company } from "#features/companies/index.ts";
import type { Notifying } from "#features/notices/index.ts";
import type { Notice } from "#features/billing/rules-notices.ts";
import { priceText } from "#features/billing/sentences.ts";
import { findPrice } from "#features/billing/store.ts";
import type { Account, Mirror } from "#features/billing/tables.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";

type Facts = { company: Company; account: Account; mirror: Mirror; notice: Notice };

/** Mails the payer, and the company's admin if that is another user. */
export async function notifyPayer(
  ctx: Notifying,
  tx: Db,
  { company, account, mirror, notice }: Facts,
): Promise<void> {
  const price = await findPrice(tx, mirror.price_id);
  const params = {
    company: company.name,
    service: price?.product_name ?? mirror.service,
    price: price ? priceText(price) : null,
  };
  const facts = listFacts(notice, params, dayIn(await findTimeZone(tx, company.realmId)));
  const recipients = new Set([account.email, company.adminEmail ?? account.email]);
  for (const recipient of recipients) await ctx.notify(tx, { realmId: company.realmId, recipient, ...facts });
}

type Params = { company: string; service: string; price: string | null };

function listFacts(notice: Notice, params: Params, formatDay: (at: Date) => string) {
  switch (notice.kind) {
    case "renewal_failed":
      return { kind: notice.kind, params: { ...params, day: formatDay(notice.until) } };
    case "trial_ends":
      return { kind: notice.kind, params: { ...params, day: formatDay(notice.at) } };
    case "service_off":
      return { kind: notice.kind, params: { ...params, cause: notice.cause } };
  }
}
