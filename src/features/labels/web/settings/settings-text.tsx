import type { LabelSettingsView } from "#features/labels/contract.ts";
import { printWords } from "#features/labels/web/print-words.ts";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import Box from "@mui/material/Box";

/** The label settings for members who can't change them. */
export function SettingsText({ settings }: { settings: LabelSettingsView }) {
  const nameIn = (options: readonly { value: string; label: string }[], chosen: string) =>
    options.find(({ value }) => value === chosen)?.label ?? chosen;
  const facts: [string, string][] = [
    [words.prefix, [settings.prefix, ...settings.other_prefixes.map(({ prefix }) => prefix)].join(", ")],
    [words.extension, String(settings.extension)],
    [words.next, String(settings.next_serial)],
    [words.profile, settings.profiles.find(({ id }) => id === settings.profile)?.name ?? settings.profile],
    [words.printer, nameIn(words.printers, settings.resolution)],
    [printWords.paper, nameIn(printWords.papers, settings.paper)],
    [printWords.order, nameIn(printWords.orders, settings.order)],
    ...settings.ship_froms.map((from, place): [string, string] => [
      words.shipFrom(place),
      [from.code, from.name, from.address1, from.address2, from.city, `${from.state} ${from.postal_code}`]
        .filter((part) => part.trim() !== "")
        .join(", "),
    ]),
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
