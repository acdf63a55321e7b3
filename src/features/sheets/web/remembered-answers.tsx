import type { SheetEndpoints } from "#features/sheets/contract.ts";
import { rememberedColumnsQuery, rememberedDatesQuery } from "#features/sheets/web/queries.ts";
import { RememberedTable } from "#features/sheets/web/remembered-table.tsx";
import { rememberedWords as words } from "#features/sheets/web/words.ts";

/** What users of the company said of one kind of sheet: the meaning of columns, and how dates are written. */
export function RememberedAnswers({ endpoints, realmId }: { endpoints: SheetEndpoints; realmId: string }) {
  return (
    <>
      <RememberedTable words={words.columns} query={rememberedColumnsQuery(endpoints, realmId)} />
      <RememberedTable words={words.dateOrder} query={rememberedDatesQuery(endpoints, realmId)} />
    </>
  );
}
