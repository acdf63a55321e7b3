import {
  changeProfile,
  PROFILE_LIMITS,
  PROFILE_RANGES,
  type ProfileContent,
  type ProfileList,
  type ProfileView,
} from "#features/labels/profiles/contract.ts";
import { AddButton } from "#features/labels/web/profiles/add-button.tsx";
import { BandFields } from "#features/labels/web/profiles/band-fields.tsx";
import { DraftInput, NumberInput } from "#features/labels/web/profiles/draft-input.tsx";
import { ProfilePreview } from "#features/labels/web/profiles/profile-preview.tsx";
import { hasSscc, newBand } from "#features/labels/web/profiles/rules.ts";
import { useEditedList } from "#features/labels/web/profiles/use-edited-list.ts";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { useKeptChanges } from "#features/labels/web/use-kept-changes.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useRef } from "react";

type Props = { realmId: string; profile: ProfileView; lists: ProfileList; onClose: () => void };
type Edited = Pick<ProfileView, "name" | "content">;

/** A profile as data: its rows of zones, what is in them, and beside them the label as it would print. */
export function ProfileEditor({ realmId, profile, lists, onClose }: Props) {
  const kept = useKeptChanges<Edited>(realmId, `label-profile.${profile.id}.${profile.version}`);
  const { name, content }: Edited = { ...profile, ...kept.changes };
  const change = (part: Partial<ProfileContent>) => kept.change({ content: { ...content, ...part } });
  const close = () => {
    kept.forget();
    onClose();
  };
  const heading = useId();
  const save = useSave(realmId, close);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ id: profile.id, name: name.trim(), content });
  };
  return (
    <Box component="form" noValidate aria-labelledby={heading} onSubmit={submit} sx={{ mt: 4 }}>
      <Typography variant="h3" id={heading} sx={{ mb: 2, overflowWrap: "anywhere" }}>
        {words.editor(profile.name)}
      </Typography>
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 272px" },
          gap: { xs: 3, md: 5 },
          alignItems: "start",
        }}
      >
        <div>
          <TextInput
            label={words.name}
            value={name}
            onChange={({ target }) => kept.change({ name: target.value })}
          />
          <Figures content={content} onChange={change} />
          <Columns content={content} columns={lists.columns} onChange={change} />
          <p>{words.points}</p>
          <Bands content={content} fields={lists.fields} onChange={change} />
        </div>
        <ProfilePreview realmId={realmId} content={content} />
      </Box>
      <FailedCall error={save.error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 2 }}>
        <BusyButton
          type="submit"
          variant="contained"
          label={words.save}
          disabled={name.trim() === ""}
          isBusy={save.isPending}
        />
        <Button variant="outlined" onClick={close}>
          {words.cancel}
        </Button>
      </Box>
    </Box>
  );
}

type Part = { content: ProfileContent; onChange: (part: Partial<ProfileContent>) => void };

/** Rows of zones; that of the SSCC stays the last one. */
function Bands({ content: { bands }, fields, onChange }: Part & Pick<ProfileList, "fields">) {
  const list = useEditedList(bands, (next) => onChange({ bands: next }));
  const adding = useRef<HTMLButtonElement>(null);
  const end = bands.findIndex(hasSscc);
  const count = end === -1 ? bands.length : end;
  const names = bands.map(words.band);
  return (
    <>
      {bands.map((band, at) => (
        <BandFields
          key={list.keys[at]}
          band={band}
          title={words.sameBand(
            names[at] ?? "",
            names.slice(0, at).filter((name) => name === names[at]).length,
          )}
          fields={fields}
          canMove={{ back: at > 0, on: at < count - 1 }}
          onChange={(next) => list.change(at, next)}
          onMove={(by) => list.move(at, by)}
          onRemove={() => {
            list.remove(at);
            adding.current?.focus();
          }}
        />
      ))}
      <AddButton
        ref={adding}
        label={words.addBand}
        isFull={bands.length >= PROFILE_LIMITS.bands}
        onAdd={() => list.add(count, newBand(bands[count - 1]))}
      />
    </>
  );
}

function Figures({ content, onChange }: Part) {
  const digits = content.mark_for_digits;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, my: 2 }}>
      <Hinted hint={words.digitsHint}>
        <DraftInput
          label={words.digits}
          inputMode="numeric"
          value={digits === null ? "" : String(digits)}
          hint={words.range(1, 20)}
          isGood={(text) => /^(?:[1-9]|1\d|20)?$/.test(text)}
          onChange={(text) => onChange({ mark_for_digits: text === "" ? null : Number(text) })}
        />
      </Hinted>
      <Hinted hint={words.quietHint}>
        <NumberInput
          label={words.quiet}
          value={content.quiet_mm}
          range={PROFILE_RANGES.quietMm}
          onChange={(quiet) => onChange({ quiet_mm: quiet })}
        />
      </Hinted>
    </Box>
  );
}

function Hinted({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <Box sx={{ flex: "1 1 14rem", minWidth: 0 }}>
      {children}
      <Box component="p" sx={{ mt: 0.5, mb: 0, typography: "caption", color: "text.caption" }}>
        {hint}
      </Box>
    </Box>
  );
}

function Columns({ content, columns, onChange }: Part & Pick<ProfileList, "columns">) {
  const { required } = content;
  return (
    <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, fontWeight: 700, typography: "body2" }}>
        {words.required}
      </Box>
      <Box sx={{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 11rem), 1fr))" }}>
        {columns.map(({ id, name }) => (
          <Choice
            key={id}
            type="checkbox"
            checked={required.includes(id)}
            onChange={({ target }) =>
              onChange({
                required: target.checked ? [...required, id] : required.filter((each) => each !== id),
              })
            }
          >
            {name}
          </Choice>
        ))}
      </Box>
    </Box>
  );
}

function useSave(realmId: string, onSaved: () => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; name: string; content: ProfileContent }) =>
      call(changeProfile, { params: { profile_id: id }, body }),
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.labels(realmId) });
      announce(words.saved(name));
      onSaved();
    },
  });
}
