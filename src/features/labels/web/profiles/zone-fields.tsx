import {
  PROFILE_LIMITS,
  PROFILE_RANGES,
  type ProfileList,
  ZONES,
} from "#features/labels/profiles/contract.ts";
import { AddButton } from "#features/labels/web/profiles/add-button.tsx";
import { DraftInput, NumberInput } from "#features/labels/web/profiles/draft-input.tsx";
import { FieldsRow } from "#features/labels/web/profiles/fields-row.tsx";
import { LineFields } from "#features/labels/web/profiles/line-fields.tsx";
import { OrderButtons } from "#features/labels/web/profiles/order-buttons.tsx";
import { NEW_LINE, withSymbol, type Zone } from "#features/labels/web/profiles/rules.ts";
import { useEditedList } from "#features/labels/web/profiles/use-edited-list.ts";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useRef } from "react";

type Props = {
  zone: Zone;
  name: string;
  isFirst: boolean;
  fields: ProfileList["fields"];
  canMove: { back: boolean; on: boolean };
  onChange: (zone: Zone) => void;
  onMove: (by: -1 | 1) => void;
  onRemove?: () => void;
};

/** Place, title, width, bar code and lines of one zone. */
export function ZoneFields({ zone, name, isFirst, fields, canMove, onChange, onMove, onRemove }: Props) {
  const isSscc = zone.symbol?.of === "sscc";
  const { joined: _, ...apart } = zone;
  return (
    <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, mt: 2, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, mb: 1, fontWeight: 700 }}>
        {name}
      </Box>
      <FieldsRow>
        <TextInput
          label={words.zoneTitle}
          maxLength={30}
          value={zone.title}
          onChange={({ target }) => onChange({ ...zone, title: target.value })}
        />
        <NumberInput
          label={words.width}
          value={zone.width}
          range={PROFILE_RANGES.width}
          onChange={(width) => onChange({ ...zone, width })}
        />
        {isSscc ? null : (
          <>
            <SelectField
              label={words.letter}
              labelAt="above"
              value={zone.letter}
              options={LETTERS}
              onChange={(letter) => onChange({ ...zone, letter: letter as Zone["letter"] })}
            />
            <SelectField
              label={words.symbol.label}
              labelAt="above"
              value={zone.symbol?.of ?? ""}
              options={words.symbol.choices}
              onChange={(of) => onChange(withSymbol(zone, of))}
            />
          </>
        )}
        <OrderButtons of={name} direction="right" canMove={canMove} onMove={onMove} onRemove={onRemove} />
      </FieldsRow>
      {isFirst ? null : (
        <Choice
          type="checkbox"
          checked={!zone.joined}
          onChange={({ target }) => onChange(target.checked ? apart : { ...zone, joined: true })}
        >
          {words.ruled}
        </Choice>
      )}
      <SymbolFields zone={zone} onChange={onChange} />
      <Lines zone={zone} name={name} fields={fields} onChange={onChange} />
    </Box>
  );
}

const LETTERS = ZONES.map((letter) => ({ value: letter, label: letter }));

type Part = Pick<Props, "zone" | "onChange">;

function SymbolFields({ zone, onChange }: Part) {
  const { symbol } = zone;
  if (!symbol) return null;
  const { ai, ...others } = symbol;
  return (
    <FieldsRow>
      <NumberInput
        label={words.symbol.height(words.symbol.of[symbol.of])}
        value={symbol.height}
        range={PROFILE_RANGES.symbol}
        onChange={(height) => onChange({ ...zone, symbol: { ...symbol, height } })}
      />
      {symbol.of === "markFor" || symbol.of === "poNumber" || symbol.of === "bol" ? (
        <DraftInput
          label={words.symbol.ai}
          inputMode="numeric"
          placeholder={words.symbol.usual[symbol.of]}
          value={ai ?? ""}
          hint={words.symbol.aiHint}
          isGood={(text) => /^(?:\d{2,4})?$/.test(text)}
          onChange={(text) => onChange({ ...zone, symbol: text === "" ? others : { ...others, ai: text } })}
        />
      ) : null}
    </FieldsRow>
  );
}

/** Lines of text; a zone that was given a bar code has no room for more of them. */
function Lines({ zone, name, fields, onChange }: Part & Pick<Props, "name" | "fields">) {
  const lines = zone.lines ?? [];
  const list = useEditedList(lines, (next) => onChange({ ...zone, lines: next }));
  const adding = useRef<HTMLButtonElement>(null);
  return (
    <>
      {lines.map((line, at) => (
        <LineFields
          key={list.keys[at]}
          line={line}
          name={words.lineOf(name, at)}
          canMove={{ back: at > 0, on: at < lines.length - 1 }}
          onChange={(next) => list.change(at, next)}
          onMove={(by) => list.move(at, by)}
          onRemove={() => {
            list.remove(at);
            adding.current?.focus();
          }}
        />
      ))}
      {zone.symbol ? null : (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          <AddButton
            ref={adding}
            label={words.addLine}
            isFull={lines.length >= PROFILE_LIMITS.lines}
            onAdd={() => list.add(lines.length, NEW_LINE)}
          />
          <Disclosure title={words.textHint} variant="text" my={0}>
            <Box component="p" sx={{ m: 0, typography: "caption", overflowWrap: "anywhere" }}>
              {fields.map(({ id, name: meaning }) => `{${id}} ${meaning}`).join(" · ")}
            </Box>
          </Disclosure>
        </Box>
      )}
    </>
  );
}
