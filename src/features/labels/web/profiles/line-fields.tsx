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
        value={caption ?? ""}
        onChange={({ target: { value } }) =>
          onChange({ ...others, ...withBold, ...(value === "" ? {} : { caption: value }) })
        }
      />
      <TextInput
        label={words.text}
        value={line.text}
        onChange={({ target }) => onChange({ ...line, text: target.value })}
      />
      <TextInput
        label={words.size}
        type="number"
        min={6}
        max={40}
        step="any"
        value={line.size}
        onChange={({ target }) => onChange({ ...line, size: Number(target.value) })}
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
