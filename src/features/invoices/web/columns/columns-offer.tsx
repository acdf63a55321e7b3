import { ColumnsEditor } from "#features/invoices/web/columns/columns-editor.tsx";
import { columnsWords as words } from "#features/invoices/web/columns/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import type { Sending } from "#features/invoices/web/upload/use-upload.ts";

type Props = { realmId: string; failed: Sending; onSaved: (again: Sending) => void };

/** After a file was refused for its headers: telling what they mean, then the same is done with the same file again. */
export function ColumnsOffer({ realmId, failed, onSaved }: Props) {
  return (
    <Disclosure title={words.offer}>
      <ColumnsEditor realmId={realmId} file={failed.file} onSaved={() => onSaved(failed)} />
    </Disclosure>
  );
}
