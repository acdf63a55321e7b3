import { rememberedNamesQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { RememberedAnswers, RememberedTable } from "#features/sheets/web/remembered.ts";
import { Card } from "#web/kit/card.tsx";
import Button from "@mui/material/Button";

/** Saved names, columns and date order of a company, in place of the upload card. */
export function RememberedCard({ realmId, onClose }: { realmId: string; onClose: () => void }) {
  return (
    <Card title={words.rememberedTitle}>
      <p style={{ marginTop: 0 }}>{words.rememberedIntro}</p>
      <RememberedTable words={words.rememberedNames} query={rememberedNamesQuery(realmId)} />
      <RememberedAnswers endpoints={sheet} realmId={realmId} />
      <Button variant="outlined" sx={{ mt: 2 }} onClick={onClose}>
        {words.back}
      </Button>
    </Card>
  );
}
