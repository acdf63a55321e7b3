import { ColumnsOffer } from "#features/invoices/web/columns/columns-offer.tsx";
import { DateOrderOffer } from "#features/invoices/web/columns/date-order-offer.tsx";
import type { useUpload } from "#features/invoices/web/upload/use-upload.ts";
import { ApiError } from "#web/kit/api-error.ts";

type Props = Pick<ReturnType<typeof useUpload>, "failed" | "error" | "send"> & { realmId: string };

/** Where a file was refused for something that a person can tell us: what to ask, and then it is sent again. */
export function FileQuestion({ realmId, failed, error, send }: Props) {
  const code = error instanceof ApiError ? error.code : undefined;
  if (!failed) return null;
  if (code === "template_mismatch")
    return <ColumnsOffer realmId={realmId} failed={failed} onSaved={(again) => send(again)} />;
  if (code === "date_order_unclear")
    return <DateOrderOffer realmId={realmId} failed={failed} onSaved={(again) => send(again)} />;
  return null;
}
