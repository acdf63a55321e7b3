import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

/**
 * A GS1 prefix besides the usual one; `next` is null until edited, because the serial grows while this page
 * is open.
 */
export type OtherPrefix = { prefix: string; next: string | null; given: number };

type Props = {
  prefixes: readonly OtherPrefix[];
  onChange: (prefixes: OtherPrefix[]) => void;
};

/** More GS1 prefixes of the company, each with its next serial. */
export function OtherPrefixes({ prefixes, onChange }: Props) {
  const change = (place: number, part: Partial<OtherPrefix>) =>
    onChange(prefixes.map((each, at) => (at === place ? { ...each, ...part } : each)));
  return (
    <Box sx={{ mb: 2 }}>
      {prefixes.map(({ prefix, next, given }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a prefix is identified by its index, because its text is being edited
        <Box key={place} sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 2 }}>
          <TextInput
            label={words.prefixAt(place)}
            inputMode="numeric"
            value={prefix}
            onChange={({ target }) => change(place, { prefix: target.value })}
          />
          <TextInput
            label={words.nextAt(place)}
            inputMode="numeric"
            value={next ?? String(given)}
            onChange={({ target }) => change(place, { next: target.value })}
          />
          <BusyButton
            variant="text"
            label={words.remove}
            detail={words.prefixAt(place)}
            isBusy={false}
            onClick={() => onChange(prefixes.filter((_, at) => at !== place))}
          />
        </Box>
      ))}
      <Button
        variant="outlined"
        onClick={() => onChange([...prefixes, { prefix: "", next: null, given: 0 }])}
      >
        {words.addPrefix}
      </Button>
    </Box>
  );
}
