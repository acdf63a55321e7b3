import type { CarrierSettings } from "#features/shipping/contract.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { boot } from "#web/kit/boot.ts";
import Box from "@mui/material/Box";

type Props = { settings: CarrierSettings & { cancel_reasons: readonly { id: string; name: string }[] } };

/** The settings of UPS labels for members who can't change them. */
export function CarrierText({ settings }: Props) {
  const { ship_from: from, presets } = settings;
  const nameIn = (options: readonly { value: string; label: string }[], chosen: string) =>
    options.find(({ value }) => value === chosen)?.label ?? chosen;
  const facts: [string, string][] = [
    [
      words.shipFrom,
      from
        ? [from.name, from.line, from.city, `${from.state} ${from.zip}`, from.phone]
            .filter(Boolean)
            .join(", ")
        : "",
    ],
    [words.billing, nameIn(words.billingOptions(boot.retailer), settings.billing)],
    ...(settings.billing === "third_party"
      ? ([[words.account(boot.retailer), settings.billing_account]] as [string, string][])
      : []),
    [words.format, nameIn(words.formats, settings.label_format)],
    [words.slipPaper, nameIn(words.slipPapers, settings.slip_paper)],
    [words.vendor(boot.retailer), settings.vendor_number],
    [
      words.reason,
      settings.cancel_reasons.find(({ id }) => id === settings.cancel_reason)?.name ?? settings.cancel_reason,
    ],
    [words.presets, presets.map(({ name }) => name).join(", ")],
  ];
  return (
    <Box
      component="dl"
      sx={{ m: 0, mt: 1, maxWidth: "48rem", "& dt": { fontWeight: 700, mt: 1 }, "& dd": { m: 0 } }}
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || words.blank}</dd>
        </div>
      ))}
    </Box>
  );
}
