import type { ProfileContent, ProfileList } from "#features/labels/profiles/contract.ts";
import { ZoneFields } from "#features/labels/web/profiles/zone-fields.tsx";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";

type Band = ProfileContent["bands"][number];
type Props = { band: Band; fields: ProfileList["fields"]; onChange: (band: Band) => void };

/** A row of zones: whether it is printed, how high it is, and what is in it. */
export function BandFields({ band, fields, onChange }: Props) {
  const letters = [...new Set(band.zones.map(({ letter }) => letter))];
  const isSscc = band.zones.some(({ symbol }) => symbol?.of === "sscc");
  const { off: _, ...printed } = band;
  return (
    <Disclosure title={`${words.zones(letters)}: ${words.bands[band.when ?? "always"]}`} my={1}>
      <Box sx={{ pl: 2, py: 1, borderLeft: "2px solid", borderColor: "divider" }}>
        {isSscc || band.height === "rest" ? null : (
          <Choice
            type="checkbox"
            checked={!band.off}
            onChange={({ target }) => onChange(target.checked ? printed : { ...printed, off: true })}
          >
            {words.printed}
          </Choice>
        )}
        {band.height === "rest" ? (
          <p>{words.rest}</p>
        ) : (
          <TextInput
            label={words.height}
            type="number"
            min={10}
            max={400}
            step="any"
            value={band.height}
            onChange={({ target }) => onChange({ ...band, height: Number(target.value) })}
          />
        )}
        {band.zones.map((zone, place) => (
          <ZoneFields
            // oxlint-disable-next-line react/no-array-index-key -- zones of a row neither come, go nor move
            key={place}
            zone={zone}
            name={words.zone(
              zone.letter,
              band.zones.slice(0, place).filter(({ letter }) => letter === zone.letter).length,
            )}
            fields={fields}
            onChange={(next) =>
              onChange({ ...band, zones: band.zones.map((each, at) => (at === place ? next : each)) })
            }
          />
        ))}
      </Box>
    </Disclosure>
  );
}
