import type { SheetEndpoints } from "#features/sheets/contract.ts";
import { ColumnsEditor } from "#features/sheets/web/columns-editor.tsx";
import { DateOrderQuestion } from "#features/sheets/web/date-order-question.tsx";
import { columnsWords as words } from "#features/sheets/web/words.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";

type Props<S extends { file: File }> = {
  endpoints: SheetEndpoints;
  realmId: string;
  /** What was sent last, as long as it failed, and why. */
  failed: S | null;
  error: Error | null;
  send: (again: S) => void;
};

/** Where a file was refused for something that a user can say: what to ask, and then it is sent again. */
export function FileQuestion<S extends { file: File }>(props: Props<S>) {
  const { endpoints, realmId, failed, error, send } = props;
  const code = error instanceof ApiError ? error.code : undefined;
  if (!failed) return null;
  const asked = { endpoints, realmId, onSaved: () => send(failed) };
  if (code === "template_mismatch")
    return (
      <Disclosure title={words.offer}>
        <ColumnsEditor {...asked} file={failed.file} />
      </Disclosure>
    );
  return code === "date_order_unclear" ? <DateOrderQuestion {...asked} /> : null;
}
