import { frameWords } from "#web/frame/words.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import { useColorScheme } from "@mui/material/styles";

const MODES = ["system", "light", "dark"] as const;

/** Light, dark, or as the system is set. */
export function ThemeChoice() {
  const { mode, setMode } = useColorScheme();
  return (
    <SelectField
      label={frameWords.theme}
      labelAt="beside"
      value={mode ?? "system"}
      options={MODES.map((value) => ({ value, label: frameWords.themes[value] }))}
      onChange={(value) => setMode(MODES.find((known) => known === value) ?? "system")}
    />
  );
}
