import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import type { CarrierSettings } from "#features/shipping/contract.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { findSettings, saveSettings } from "#features/shipping/store.ts";
import { releaseInvoices, type Partner } from "#features/orders/index.ts";
import { badRequest } from "#platform/errors.ts";

/** Settings of a company that has changed none: nothing is billed to an account that no one entered. */
const DEFAULTS: CarrierSettings = {
  ship_from: null,
  label_format: "pdf",
  slip_paper: "letter",
  billing: "shipper",
  billing_account: "",
  billing_zip: "",
  vendor_number: "",
  cancel_reason: "",
  presets: [],
};

/**
 * Settings of UPS labels; those that a company left open are the retailer's usual ones. Who is billed, and the number and reason of
 * the company, are about its first retailer: another one's labels are never billed to that one's account.
 */
export async function readSettings(
  { partners: [first], db }: Pick<ShippingCtx, "partners" | "db">,
  realmId: string,
  partner: Partner,
): Promise<CarrierSettings> {
  const { billing, billing_account, billing_zip, vendor_number, cancel_reason, ...stored } = {
    ...DEFAULTS,
    billing: partner.billing,
    ...(await findSettings(db, realmId)),
  };
  if (partner.id !== first.id)
    return {
      ...DEFAULTS,
      ...stored,
      billing: partner.billing,
      cancel_reason: partner.cancelReasons[0]?.id ?? "",
    };
  const reason = partner.cancelReasons.find(({ id }) => id === cancel_reason) ?? partner.cancelReasons[0];
  return {
    ...stored,
    billing,
    billing_account,
    billing_zip,
    vendor_number,
    cancel_reason: reason?.id ?? "",
  };
}

/** The company's number at its first retailer, about which the settings are; the orders of others name it. */
export const findVendorNumber = async (
  { partners: [first], db }: Pick<ShippingCtx, "partners" | "db">,
  { realmId, partner }: { realmId: string; partner: string },
): Promise<string> => (partner === first.id ? ((await findSettings(db, realmId))?.vendor_number ?? "") : "");

/** Lets a demo company make labels at once, on the account that the simulated UPS has for its retailer. */
export const prepareDemoShipping = (ctx: ShippingCtx & Audited, company: Company): Promise<void> =>
  changeSettings(ctx, company, {
    ...DEFAULTS,
    ship_from: {
      name: company.name,
      phone: "510-555-0100",
      line: "1200 Harbor Way",
      city: "Oakland",
      state: "CA",
      zip: "94607",
    },
    billing: "third_party",
    billing_account: "R9H77W",
    billing_zip: "30339",
    presets: [{ name: "Small box", carton: { length: 12, width: 9, height: 4, weight: 3 } }],
  });

/** @throws AppError 400 for a payer without its account and ZIP code, or an unknown reason */
export async function changeSettings(
  ctx: ShippingCtx & Audited,
  { realmId }: Company,
  settings: CarrierSettings,
): Promise<void> {
  const [partner] = ctx.partners;
  const isBilled = settings.billing === "third_party";
  if (isBilled && !/^[A-Z0-9]{6}$/.test(settings.billing_account))
    throw badRequest("invalid_billing_account", "Enter the retailer's UPS account: six letters and digits.");
  if (isBilled && !/^\d{5}$/.test(settings.billing_zip))
    throw badRequest("invalid_billing_zip", "Enter the five-digit ZIP code of the retailer's UPS account.");
  if (settings.cancel_reason !== "" && !partner.cancelReasons.some(({ id }) => id === settings.cancel_reason))
    throw badRequest("reason_unknown", "Choose one of the retailer's reasons to cancel.");
  await ctx.db.transaction().execute(async (tx) => {
    const before = await readSettings({ ...ctx, db: tx }, realmId, partner);
    await saveSettings(tx, realmId, settings, ctx.clock.now());
    const plain = ({ presets, ship_from: from, ...others }: CarrierSettings) => ({
      ...others,
      ship_from: from
        ? [from.name, from.phone, from.line, from.city, from.state, from.zip].filter(Boolean).join(", ")
        : "",
      presets: presets.length,
    });
    await ctx.audit(tx, { action: "labels.carrier_settings", before: plain(before), after: plain(settings) });
    // Invoices may have waited for the vendor number.
    if (settings.vendor_number !== before.vendor_number) await releaseInvoices(ctx, tx, { realmId });
  });
}
