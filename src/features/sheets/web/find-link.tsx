import { wrongWords as words } from "#features/sheets/web/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";

/** Where the table of all records is, for links to it. */
export const RECORDS = "records";

/** What users call a record, as a link to the table of all, which then shows this one. */
export function FindLink({ name, onFind }: { name: string; onFind: (name: string) => void }) {
  return (
    <PlainLink
      href={`#${RECORDS}`}
      aria-label={words.find(name)}
      onClick={() => onFind(name)}
      style={{ display: "inline-block", minWidth: 24 }}
    >
      {name}
    </PlainLink>
  );
}
