import type { SheetEndpoints } from "#features/sheets/contract.ts";
import { ColumnsEditor } from "#features/sheets/web/lazy-columns-editor.tsx";
import { DateOrderQuestion } from "#features/sheets/web/date-order-question.tsx";
import { ApiError } from "#web/kit/api-error.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";

type Props<S extends { file: File }> = {
  endpoints: SheetEndpoints;
  realmId: string;
  /** What was sent last, as long as it failed, and why. */
  failed: S | null;
  error: Error | null;
  title?: string;
  send: (again: S) => void;
};

/** Whether a user is asked for what a file lacks: the answer sends it again. */
export const isQuestion = (error: Error | null): boolean =>
  error instanceof ApiError &&
  error.code !== null &&
  ["template_mismatch", "date_order_unclear"].includes(error.code);

/** Why a file was refused; where it was for something that a user can say, that is asked, and then it is sent again. */
export function FailedFile<S extends { file: File }>(props: Props<S>) {
  const { endpoints, realmId, failed, error, title, send } = props;
  const code = failed && error instanceof ApiError ? error.code : null;
  const asked = { endpoints, realmId, onSaved: () => failed && send(failed) };
  return (
    <>
      {failed && code === "template_mismatch" ? (
        <ColumnsEditor {...asked} file={failed.file} />
      ) : (
        <FailedCall error={error} {...(title ? { title } : {})} />
      )}
      {code === "date_order_unclear" ? <DateOrderQuestion {...asked} /> : null}
    </>
  );
}
