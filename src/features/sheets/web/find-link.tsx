import { wrongWords as words } from "#features/sheets/web/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";

/** Where the table of all records is, for links to it. */
export const RECORDS = "records";

type Props = {
  name: string;
  /** What the table is searched for, where that is not its name. */
  by?: string;
  onFind: (text: string) => void;
};

/** What users call a record, as a link to the table of all, which then shows this one. */
export function FindLink({ name, by = name, onFind }: Props) {
  return (
    <PlainLink
      href={`#${RECORDS}`}
      aria-label={words.find(name)}
      onClick={() => onFind(by)}
      style={{ display: "inline-block", minWidth: 24 }}
    >
      {name}
    </PlainLink>
  );
}
