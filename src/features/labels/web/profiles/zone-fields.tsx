import type { ProfileContent, ProfileList } from "#features/labels/profiles/contract.ts";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";

type Zone = ProfileContent["bands"][number]["zones"][number];
type Line = NonNullable<Zone["lines"]>[number];
type Props = { zone: Zone; name: string; fields: ProfileList["fields"]; onChange: (zone: Zone) => void };

const BLANK: Line = { text: "{poNumber}", size: 10 };

/** Title, width, lines and the bar code of one zone. */
export function ZoneFields({ zone, name, fields, onChange }: Props) {
  const lines = zone.lines ?? [];
  const setLines = (next: readonly Line[]) => onChange({ ...zone, lines: [...next] });
  return (
    <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, mt: 2, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, mb: 1, fontWeight: 700 }}>
        {name}
      </Box>
      <Row>
        <TextInput
          label={words.zoneTitle}
          value={zone.title}
          onChange={({ target }) => onChange({ ...zone, title: target.value })}
        />
        <TextInput
          label={words.width}
          type="number"
          step="any"
          value={zone.width}
          onChange={({ target }) => onChange({ ...zone, width: Number(target.value) })}
        />
      </Row>
      {zone.symbol ? <SymbolFields zone={zone} symbol={zone.symbol} onChange={onChange} /> : null}
      {lines.map((line, place) => (
        <LineFields
          // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place: its text is being typed
          key={place}
          line={line}
          detail={words.lineOf(name, place)}
          onChange={(next) => setLines(lines.map((each, at) => (at === place ? next : each)))}
          onRemove={() => setLines(lines.filter((_, at) => at !== place))}
        />
      ))}
      {zone.symbol ? null : (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 1 }}>
          <Button variant="outlined" size="small" onClick={() => setLines([...lines, BLANK])}>
            {words.addLine}
          </Button>
          <Disclosure title={words.textHint} variant="text" my={0}>
            <Box component="p" sx={{ m: 0, typography: "caption", overflowWrap: "anywhere" }}>
              {fields.map(({ id, name: meaning }) => `{${id}} ${meaning}`).join(" · ")}
            </Box>
          </Disclosure>
        </Box>
      )}
    </Box>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      display: "grid",
      gap: 1.5,
      mb: 1.5,
      alignItems: "end",
      gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 9rem), 1fr))",
    }}
  >
    {children}
  </Box>
);

type SymbolProps = Pick<Props, "zone" | "onChange"> & { symbol: NonNullable<Zone["symbol"]> };

function SymbolFields({ zone, symbol, onChange }: SymbolProps) {
  const { ai, ...others } = symbol;
  return (
    <Row>
      <TextInput
        label={words.symbol.height(words.symbol.of[symbol.of])}
        type="number"
        step="any"
        value={symbol.height}
        onChange={({ target }) => onChange({ ...zone, symbol: { ...symbol, height: Number(target.value) } })}
      />
      {symbol.of === "markFor" || symbol.of === "poNumber" ? (
        <TextInput
          label={words.symbol.ai}
          inputMode="numeric"
          value={ai ?? ""}
          onChange={({ target: { value } }) =>
            onChange({ ...zone, symbol: value === "" ? others : { ...others, ai: value } })
          }
        />
      ) : null}
    </Row>
  );
}

type LineProps = { line: Line; detail: string; onChange: (line: Line) => void; onRemove: () => void };

function LineFields({ line, detail, onChange, onRemove }: LineProps) {
  const { caption, bold, ...others } = line;
  const withBold = bold ? { bold } : {};
  return (
    <Row>
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
      <BusyButton
        variant="text"
        size="small"
        label={words.removeLine}
        detail={detail}
        isBusy={false}
        onClick={onRemove}
      />
    </Row>
  );
}
