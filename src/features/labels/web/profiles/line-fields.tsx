import { PROFILE_RANGES } from "#features/labels/profiles/contract.ts";
import { DraftInput, NumberInput } from "#features/labels/web/profiles/draft-input.tsx";
import { FieldsRow } from "#features/labels/web/profiles/fields-row.tsx";
import { OrderButtons } from "#features/labels/web/profiles/order-buttons.tsx";
import type { ZoneLine } from "#features/labels/web/profiles/rules.ts";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";

type Props = {
  line: ZoneLine;
  name: string;
  canMove: { back: boolean; on: boolean };
  onChange: (line: ZoneLine) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** One line of text of a zone. */
export function LineFields({ line, name, canMove, onChange, onMove, onRemove }: Props) {
  const { caption, bold, ...others } = line;
  const withBold = bold ? { bold } : {};
  return (
    <FieldsRow>
      <TextInput
        label={words.caption}
        maxLength={20}
        value={caption ?? ""}
        onChange={({ target: { value } }) =>
          onChange({ ...others, ...withBold, ...(value === "" ? {} : { caption: value }) })
        }
      />
      <DraftInput
        label={words.text}
        maxLength={120}
        value={line.text}
        hint={words.textNeeded}
        isGood={(text) => text.trim() !== ""}
        onChange={(text) => onChange({ ...line, text })}
      />
      <NumberInput
        label={words.size}
        value={line.size}
        range={PROFILE_RANGES.size}
        onChange={(size) => onChange({ ...line, size })}
      />
      <Choice
        type="checkbox"
        checked={bold === true}
        onChange={({ target }) =>
          onChange({ ...others, ...(caption ? { caption } : {}), ...(target.checked ? { bold: true } : {}) })
        }
      >
        {words.bold}
      </Choice>
      <OrderButtons of={name} direction="down" canMove={canMove} onMove={onMove} onRemove={onRemove} />
    </FieldsRow>
  );
}
