import type { LabelSettingsView } from "#features/labels/contract.ts";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

type ShipFrom = LabelSettingsView["ship_froms"][number];
type Props = {
  shipFroms: readonly ShipFrom[];
  onChange: (shipFroms: ShipFrom[]) => void;
};

const BLANK: ShipFrom = {
  code: "",
  name: "",
  address1: "",
  address2: "",
  city: "",
  state: "",
  postal_code: "",
};

const PARTS = [
  ["code", words.code],
  ["name", words.name],
  ["address1", words.address1],
  ["address2", words.address2],
  ["city", words.city],
  ["state", words.state],
  ["postal_code", words.postalCode],
] as const;

/** Ship-from addresses of the company. */
export function ShipFroms({ shipFroms, onChange }: Props) {
  const change = (place: number, part: Partial<ShipFrom>) =>
    onChange(shipFroms.map((each, at) => (at === place ? { ...each, ...part } : each)));
  return (
    <Box sx={{ mb: 2 }}>
      {shipFroms.map((shipFrom, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address is identified by its index, because its code is being edited
        <Box key={place} component="fieldset" sx={{ border: 0, p: 0, m: 0, mb: 2, minWidth: 0 }}>
          <Box component="legend" sx={{ p: 0, mb: 1, fontWeight: 700 }}>
            {words.shipFrom(place)}
          </Box>
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 16rem), 1fr))",
            }}
          >
            {PARTS.map(([part, label]) => (
              <TextInput
                key={part}
                label={label}
                value={shipFrom[part]}
                onChange={({ target }) => change(place, { [part]: target.value })}
              />
            ))}
          </Box>
          <Box sx={{ mt: 1 }}>
            <BusyButton
              variant="text"
              label={words.remove}
              detail={words.removeInstance(place)}
              isBusy={false}
              onClick={() => onChange(shipFroms.filter((_, at) => at !== place))}
            />
          </Box>
        </Box>
      ))}
      <Button variant="outlined" onClick={() => onChange([...shipFroms, BLANK])}>
        {words.add}
      </Button>
    </Box>
  );
}
