import type { UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Suspense } from "react";

const SentReceipt = lazyPart(
  async () => (await import("#features/invoices/web/receipt/sent-receipt.tsx")).SentReceipt,
);

type Props = { realmId: string; sent: Pick<UploadSummary, "id" | "filename">; isTyped?: boolean };

/** Receipt of the upload just sent, where it was sent from: the results may be below the screen. */
export function SentUpload({ realmId, sent: { id, filename }, isTyped = false }: Props) {
  const received = <Notice tone="blue">{uploadWords.card.received(filename)}</Notice>;
  return (
    <Suspense fallback={received}>
      <SentReceipt key={id} realmId={realmId} uploadId={id} isTyped={isTyped}>
        {received}
      </SentReceipt>
    </Suspense>
  );
}
