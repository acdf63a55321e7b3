import type { Audited } from "#features/audit/index.ts";
import type { SettingsChange } from "#features/companies/contract.ts";
import { isEmail, INVALID_EMAIL, type Company } from "#features/companies/rules.ts";
import { requireService } from "#features/companies/services.ts";
import { changeCompany, findTrackingSettings } from "#features/companies/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { foldEmail } from "#platform/email.ts";
import { badRequest } from "#platform/errors.ts";

/** Settings of proofs of delivery. */
const FLAGS = ["attach_pods", "pods_on_send", "pods_together"] as const;

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
  const { contact_email: contact, invoice_lookback: lookback, freight_on_invoices: freight } = change;
  const flags = FLAGS.filter((name) => change[name] !== undefined);
  if (flags.length > 0 || lookback !== undefined || freight !== undefined)
    await requireService(ctx, realmId, "tracking");
  const email = contact === undefined ? undefined : foldEmail(contact);
  if (email && !isEmail(email)) throw badRequest("invalid_email", INVALID_EMAIL);
  await ctx.db.transaction().execute(async (tx) => {
    const { freight_since: freightSince } = await findTrackingSettings(tx, realmId);
    const was = await changeCompany(tx, realmId, {
      ...(email === undefined ? {} : { contact_email: email }),
      ...Object.fromEntries(flags.map((name) => [name, change[name] === "true"])),
      ...(lookback === undefined ? {} : { invoice_lookback_days: lookback }),
      // On again does not mean from now on.
      ...(freight === undefined || (freight === "true") === (freightSince !== null)
        ? {}
        : { freight_since: freight === "true" ? ctx.clock.now() : null }),
    });
    await ctx.audit(tx, {
      action: "companies.change_settings",
      before: {
        ...(email === undefined ? {} : { contact_email: was.contact_email }),
        ...Object.fromEntries(flags.map((name) => [name, String(was[name])])),
        ...(lookback === undefined ? {} : { invoice_lookback: was.invoice_lookback_days }),
        ...(freight === undefined ? {} : { freight_on_invoices: String(was.freight_since !== null) }),
      },
      after: { ...change, ...(email === undefined ? {} : { contact_email: email }) },
    });
  });
}
