import { CARTON_FIELDS } from "#features/shipping/web/shipment/rules-cartons.ts";
import { newPreset, type PresetText } from "#features/shipping/web/settings/rules.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

/** The contract's limit. */
const MAX_PRESETS = 12;

type Props = { presets: readonly PresetText[]; onChange: (presets: readonly PresetText[]) => void };

/** Carton sizes that the company uses often. */
export function CartonPresets({ presets, onChange }: Props) {
  const change = (place: number, part: Partial<PresetText>) =>
    onChange(presets.map((preset, at) => (at === place ? { ...preset, ...part } : preset)));
  return (
    <Box component="fieldset" sx={{ mb: 3 }}>
      <Box component="legend" sx={{ mb: 1, fontWeight: 700 }}>
        {words.presets}
      </Box>
      {presets.map((preset, place) => (
        <Box
          // oxlint-disable-next-line react/no-array-index-key -- a size is known by its place, because its name is being edited
          key={place}
          role="group"
          aria-label={words.preset(place)}
          sx={{
            display: "grid",
            alignItems: "end",
            gap: 1.5,
            mb: 1.5,
            gridTemplateColumns: { xs: "1fr 1fr", md: "minmax(0, 2fr) repeat(4, minmax(0, 1fr)) auto" },
          }}
        >
          <TextInput
            label={words.presetName}
            value={preset.name}
            maxLength={30}
            onChange={({ target }) => change(place, { name: target.value })}
          />
          {CARTON_FIELDS.map((field) => (
            <TextInput
              key={field}
              label={words[field]}
              inputMode="decimal"
              maxLength={10}
              autoComplete="off"
              value={preset.carton[field]}
              onChange={({ target }) =>
                change(place, { carton: { ...preset.carton, [field]: target.value } })
              }
            />
          ))}
          <BusyButton
            variant="text"
            label={words.remove}
            detail={words.removePreset(preset.name, place)}
            isBusy={false}
            onClick={() => onChange(presets.filter((_, at) => at !== place))}
          />
        </Box>
      ))}
      {presets.length < MAX_PRESETS ? (
        <Button variant="outlined" size="small" onClick={() => onChange([...presets, newPreset()])}>
          {words.addPreset}
        </Button>
      ) : null}
    </Box>
  );
}
