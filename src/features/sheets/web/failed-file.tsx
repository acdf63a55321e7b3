import type { SheetEndpoints, WrittenOrder } from "#features/sheets/contract.ts";
import { DateOrderChoice } from "#features/sheets/web/date-order-choice.tsx";
import { ColumnsEditor } from "#features/sheets/web/lazy-parts.tsx";
import { ApiError } from "#web/kit/api-error.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { dateOrderWords as words } from "#features/sheets/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

type Props<S extends { file: File }> = {
  endpoints: SheetEndpoints;
  realmId: string;
  /** Last submission, if it failed. */
  failed: S | null;
  error: Error | null;
  title?: string;
  send: (again: S) => void;
  /** Leaves the questions about columns. */
  onCancel?: () => void;
};

/** Whether the refusal asks what the columns of the file mean. */
export const needsColumnMatch = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === "template_mismatch";

/** Whether the refusal asks the user a question; the answer resubmits the file. */
export const isQuestion = (error: Error | null): boolean =>
  needsColumnMatch(error) || (error instanceof ApiError && error.code === "date_order_unclear");

/** Explains why a file was refused. If the user can resolve it, asks a question, then resubmits the file. */
export function FailedFile<S extends { file: File }>(props: Props<S>) {
  const { endpoints, realmId, failed, error, title, send, onCancel } = props;
  const asked = { endpoints, realmId, onSaved: () => failed && send(failed) };
  return (
    <>
      {failed && needsColumnMatch(error) ? (
        <ColumnsEditor
          {...asked}
          file={failed.file}
          refusal={error?.message ?? ""}
          {...(onCancel ? { onCancel } : {})}
        />
      ) : failed && isQuestion(error) ? (
        <DateOrderQuestion {...asked} question={error?.message ?? ""} />
      ) : (
        <FailedCall error={error} {...(title ? { title } : {})} />
      )}
    </>
  );
}

type QuestionProps = {
  endpoints: SheetEndpoints;
  realmId: string;
  /** The date that could be read both ways. */
  question: string;
  onSaved: () => void;
};

/** Asks for the date order of a file and saves it for the company. */
export function DateOrderQuestion({ endpoints, realmId, question, onSaved }: QuestionProps) {
  const announce = useAnnounce();
  const [order, setOrder] = useState<WrittenOrder | null>(null);
  const save = useMutation({
    mutationFn: () => call(endpoints.chooseDateOrder, { query: { realm_id: realmId }, body: { order } }),
    onSuccess: () => {
      announce(words.saved);
      onSaved();
    },
  });
  return (
    <Notice tone="blue" role="alert" title={question}>
      <DateOrderChoice order={order} isDisabled={save.isPending} onChange={setOrder} />
      <p style={{ margin: "8px 0 16px" }}>{words.hint}</p>
      <BusyButton
        label={words.save}
        variant="contained"
        disabled={!order}
        isBusy={save.isPending}
        onClick={save.mutate}
      />
      <FailedCall error={save.error} />
    </Notice>
  );
}
