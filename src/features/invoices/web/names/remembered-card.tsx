import {
  rememberedColumnsQuery,
  rememberedDatesQuery,
  rememberedNamesQuery,
} from "#features/invoices/web/names/queries.ts";
import { RememberedTable } from "#features/invoices/web/names/remembered-table.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { Card } from "#web/kit/card.tsx";
import Button from "@mui/material/Button";

/** The remembered names, columns and order of dates of a company, in place of the upload card. */
export function RememberedCard({ realmId, onClose }: { realmId: string; onClose: () => void }) {
  return (
    <Card title={words.rememberedTitle}>
      <p style={{ marginTop: 0 }}>{words.rememberedIntro}</p>
      <RememberedTable words={words.rememberedNames} query={rememberedNamesQuery(realmId)} />
      <RememberedTable words={words.rememberedColumns} query={rememberedColumnsQuery(realmId)} />
      <RememberedTable words={words.rememberedDates} query={rememberedDatesQuery(realmId)} />
      <Button variant="outlined" sx={{ mt: 2 }} onClick={onClose}>
        {words.back}
      </Button>
    </Card>
  );
}
