import { type LabelChoices, PrintChoices } from "#features/labels/web/print-choices.tsx";
import { printWords } from "#features/labels/web/print-words.ts";
import { labelSettingsQuery } from "#features/labels/web/queries.ts";
import { settingsWords } from "#features/labels/web/settings/words.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = labelWords.upload;

type Props = {
  realmId: string;
  choices: LabelChoices;
  disabled: boolean;
  onChange: (change: LabelChoices) => void;
};

/** Profile, paper, order and separators of the next upload, if they differ from the company's. */
export function UploadChoices({ realmId, choices, disabled, onChange }: Props) {
  const settings = useQuery(labelSettingsQuery(realmId)).data;
  // Reserves space, so that nothing moves when the settings load.
  if (!settings) return <Box sx={{ height: 38 }} />;
  if (settings.prefix === null) return null;
  const { profile = settings.profile, paper = settings.paper } = choices;
  const { order = settings.order, separators = settings.separators } = choices;
  const others = settings.other_prefixes.map(({ prefix }) => prefix);
  const profiles = settings.profiles.map(({ id, name }) => ({ value: id, label: name }));
  const nameIn = (options: readonly { value: string; label: string }[], chosen: string) =>
    options.find(({ value }) => value === chosen)?.label ?? "";
  return (
    <Disclosure
      title={words.choices(nameIn(profiles, profile), nameIn(printWords.papers, paper))}
      variant="text"
      my={0.5}
    >
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "flex-end",
          columnGap: 2,
          rowGap: 1,
          mt: 1,
          pl: 1.25,
        }}
      >
        <SelectField
          label={settingsWords.profile}
          labelAt="above"
          value={profile}
          options={profiles}
          disabled={disabled}
          onChange={(chosen) => onChange({ profile: chosen })}
        />
        {others.length > 0 ? (
          <SelectField
            label={settingsWords.prefix}
            labelAt="above"
            value={choices.prefix ?? settings.prefix}
            options={[settings.prefix, ...others].map((value) => ({ value, label: value }))}
            disabled={disabled}
            onChange={(chosen) => onChange({ prefix: chosen })}
          />
        ) : null}
        <PrintChoices form={{ paper, order, separators }} disabled={disabled} onChange={onChange} />
      </Box>
      <Box component="p" sx={{ mt: 0.5, mb: 1, pl: 1.25, typography: "caption", color: "text.caption" }}>
        {words.choicesHint}
      </Box>
    </Disclosure>
  );
}
