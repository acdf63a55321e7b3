import type { SeenColumns, WrittenOrder } from "#features/sheets/contract.ts";
import { DateOrderChoice } from "#features/sheets/web/date-order-choice.tsx";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { Choice } from "#web/kit/choice.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Button from "@mui/material/Button";
import type { Ref } from "react";

type DateProps = {
  question: string | null;
  order: WrittenOrder | null;
  onChange: (order: WrittenOrder) => void;
};

/** Asks for the order of day and month, if the file's dates don't show it. */
export const DateQuestion = ({ question, ...choice }: DateProps) =>
  question ? (
    <Notice tone="blue" title={question}>
      <DateOrderChoice {...choice} />
    </Notice>
  ) : null;

type LayoutProps = { layout: NonNullable<SeenColumns["layout"]>; onDecline: () => void };

/** Says which export the sheet looks like. */
export const LayoutNotice = ({ layout: { title, matched }, onDecline }: LayoutProps) => (
  <Notice tone="blue" title={words.layout(title, matched)}>
    <p>{words.layoutHint}</p>
    <Button variant="text" onClick={onDecline}>
      {words.otherLayout}
    </Button>
  </Notice>
);

type SheetProps = {
  sheets: SeenColumns["sheets"];
  /** Says which of them repeat each other. */
  overlap: string | null;
  unread: readonly string[];
  onChange: (unread: readonly string[]) => void;
};

/** Asks which sheets of the file are read. */
export const SheetChoices = ({ sheets, overlap, unread, onChange }: SheetProps) => (
  <fieldset style={{ border: 0, margin: "16px 0 0", padding: 0 }}>
    <legend style={{ padding: 0 }}>{words.sheets}</legend>
    {overlap ? <Notice tone="amber">{overlap}</Notice> : null}
    {sheets.map(({ sheet }) => (
      <Choice
        key={sheet}
        type="checkbox"
        checked={!unread.includes(sheet)}
        onChange={() =>
          onChange(unread.includes(sheet) ? unread.filter((other) => other !== sheet) : [...unread, sheet])
        }
      >
        {sheet}
      </Choice>
    ))}
  </fieldset>
);

type ForAllProps = {
  asked: NonNullable<SeenColumns["for_all"]>;
  value: string;
  ref: Ref<HTMLInputElement>;
  onChange: (value: string) => void;
};

const FOR_ALL = "for-all";

/** Asks for the value that all lines have where the sheet has no column for it. */
export const ForAll = ({ asked, value, ref, onChange }: ForAllProps) => (
  <div style={{ margin: "16px 0" }}>
    <TextInput
      label={asked.question}
      list={FOR_ALL}
      ref={ref}
      maxLength={500}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
    <datalist id={FOR_ALL}>
      {asked.names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </datalist>
  </div>
);
