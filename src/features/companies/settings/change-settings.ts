import type { Audited } from "#features/audit/index.ts";
import type { SettingsChange } from "#features/companies/contract.ts";
import { isEmail, INVALID_EMAIL, type Company } from "#features/companies/rules.ts";
import { requireService } from "#features/companies/services.ts";
import { changeCompany } from "#features/companies/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { foldEmail } from "#platform/email.ts";
import { badRequest } from "#platform/errors.ts";

/**
 * Changes only the settings in the request.
 * @throws AppError 400 for no setting or an invalid contact e-mail; 402 for a setting of an inactive service
 */
export async function changeSettings(
  ctx: Ctx & Audited,
  { realmId }: Company,
  change: SettingsChange,
): Promise<void> {
  if (Object.keys(change).length === 0) throw badRequest("nothing_to_change", "No setting was sent.");
  const { contact_email: contact, attach_pods: attach, invoice_lookback: lookback } = change;
  if (attach !== undefined || lookback !== undefined) await requireService(ctx, realmId, "tracking");
  const email = contact === undefined ? undefined : foldEmail(contact);
  if (email && !isEmail(email)) throw badRequest("invalid_email", INVALID_EMAIL);
  await ctx.db.transaction().execute(async (tx) => {
    const was = await changeCompany(tx, realmId, {
      ...(email === undefined ? {} : { contact_email: email }),
      ...(attach === undefined ? {} : { attach_pods: attach === "true" }),
      ...(lookback === undefined ? {} : { invoice_lookback_days: lookback }),
    });
    await ctx.audit(tx, {
      action: "companies.change_settings",
      before: {
        ...(email === undefined ? {} : { contact_email: was.contact_email }),
        ...(attach === undefined ? {} : { attach_pods: String(was.attach_pods) }),
        ...(lookback === undefined ? {} : { invoice_lookback: was.invoice_lookback_days }),
      },
      after: { ...change, ...(email === undefined ? {} : { contact_email: email }) },
    });
  });
}
