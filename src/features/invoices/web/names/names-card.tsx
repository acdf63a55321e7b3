import { RememberedNames } from "#features/invoices/web/names/remembered-names.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { Card } from "#web/kit/card.tsx";
import Button from "@mui/material/Button";

/** The remembered names of a company, in place of the upload card. */
export function NamesCard({ realmId, onClose }: { realmId: string; onClose: () => void }) {
  return (
    <Card title={words.rememberedTitle}>
      <RememberedNames realmId={realmId} />
      <Button variant="outlined" onClick={onClose}>
        {words.back}
      </Button>
    </Card>
  );
}
