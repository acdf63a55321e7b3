import { PROFILE_LIMITS, PROFILE_RANGES, type ProfileList } from "#features/labels/profiles/contract.ts";
import { AddButton } from "#features/labels/web/profiles/add-button.tsx";
import { NumberInput } from "#features/labels/web/profiles/draft-input.tsx";
import { OrderButtons } from "#features/labels/web/profiles/order-buttons.tsx";
import { type Band, hasSscc, splitLast, widen } from "#features/labels/web/profiles/rules.ts";
import { useEditedList } from "#features/labels/web/profiles/use-edited-list.ts";
import { ZoneFields } from "#features/labels/web/profiles/zone-fields.tsx";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";
import { useRef } from "react";

type Props = {
  band: Band;
  title: string;
  fields: ProfileList["fields"];
  canMove: { back: boolean; on: boolean };
  onChange: (band: Band) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** A row of zones: where it is, when it is printed, how high it is, and what is in it. */
export function BandFields({ band, title, fields, canMove, onChange, onMove, onRemove }: Props) {
  const isSscc = hasSscc(band);
  return (
    <Disclosure
      title={title}
      my={1}
      beside={
        isSscc ? null : (
          <OrderButtons of={title} direction="down" canMove={canMove} onMove={onMove} onRemove={onRemove} />
        )
      }
    >
      <Box sx={{ pl: 2, py: 1, borderLeft: "2px solid", borderColor: "divider" }}>
        {isSscc ? null : <When band={band} onChange={onChange} />}
        <Height band={band} onChange={onChange} />
        <Zones band={band} fields={fields} onChange={onChange} />
      </Box>
    </Disclosure>
  );
}

type Part = Pick<Props, "band" | "onChange">;

function When({ band: { off, when, ...band }, onChange }: Part) {
  const isOff = off ? { off } : {};
  return (
    <>
      <Choice
        type="checkbox"
        checked={!off}
        onChange={({ target }) =>
          onChange({ ...band, ...(when ? { when } : {}), ...(target.checked ? {} : { off: true }) })
        }
      >
        {words.printed}
      </Choice>
      <Box sx={{ mb: 1.5 }}>
        <SelectField
          label={words.when}
          labelAt="above"
          value={when ?? "always"}
          options={words.bands}
          onChange={(value) =>
            onChange({
              ...band,
              ...isOff,
              ...(value === "always" ? {} : { when: value as NonNullable<Band["when"]> }),
            })
          }
        />
      </Box>
    </>
  );
}

/** What a row that took the rest is as high as, when it no longer does. */
const USUAL_HEIGHT = 72;

function Height({ band, onChange }: Part) {
  return (
    <>
      {hasSscc(band) ? null : (
        <Choice
          type="checkbox"
          checked={band.height === "rest"}
          onChange={({ target }) => onChange({ ...band, height: target.checked ? "rest" : USUAL_HEIGHT })}
        >
          {words.rest}
        </Choice>
      )}
      {band.height === "rest" ? null : (
        <NumberInput
          label={words.height}
          value={band.height}
          range={PROFILE_RANGES.height}
          onChange={(height) => onChange({ ...band, height })}
        />
      )}
    </>
  );
}

function Zones({ band, fields, onChange }: Part & Pick<Props, "fields">) {
  const { zones } = band;
  const list = useEditedList(zones, (next) => onChange({ ...band, zones: next }));
  const adding = useRef<HTMLButtonElement>(null);
  const split = splitLast(zones);
  return (
    <>
      {zones.map((zone, at) => (
        <ZoneFields
          key={list.keys[at]}
          zone={zone}
          isFirst={at === 0}
          name={words.zone(
            zone.letter,
            zones.slice(0, at).filter(({ letter }) => letter === zone.letter).length,
          )}
          fields={fields}
          canMove={{ back: at > 0, on: at < zones.length - 1 }}
          onChange={(next) => list.change(at, next)}
          onMove={(by) => list.move(at, by)}
          {...(zones.length > 1 && zone.symbol?.of !== "sscc"
            ? {
                onRemove: () => {
                  list.remove(at, (rest) => widen(rest, at, zone.width));
                  adding.current?.focus();
                },
              }
            : {})}
        />
      ))}
      {hasSscc(band) || !split ? null : (
        <AddButton
          ref={adding}
          label={words.addZone}
          isFull={zones.length >= PROFILE_LIMITS.zones}
          onAdd={() => list.add(zones.length, split.added, (next) => [...split.zones, ...next.slice(-1)])}
        />
      )}
    </>
  );
}
