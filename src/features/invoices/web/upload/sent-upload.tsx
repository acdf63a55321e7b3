import type { UploadSummary } from "#features/invoices/contract.ts";
import { PAGE_SIZE, uploadsQuery } from "#features/invoices/web/queries.ts";
import { summaryOf, toneOf, uploadAnchor } from "#features/invoices/web/results/upload-summary.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import { toneIcons } from "#web/kit/icon.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";

const words = uploadWords.card;

/** The progress of the file just sent, where it was sent from: its rows may be below the screen. */
export function SentUpload({ realmId, sent }: { realmId: string; sent: UploadSummary }) {
  const { data, isFetching } = useQuery(uploadsQuery(realmId, PAGE_SIZE));
  const upload = data?.uploads.find(({ id }) => id === sent.id);
  // The list that has it is on its way; one that came without it is of a demo put back.
  if (!upload) return isFetching ? <Notice tone="blue">{words.received(sent.filename)}</Notice> : null;
  return (
    <Notice tone={toneOf(upload)} {...(upload.counts.open > 0 ? { icon: toneIcons.green } : {})}>
      {words.sent(upload.filename, summaryOf(upload))}{" "}
      <PlainLink href={`#${uploadAnchor(upload)}`} style={{ color: "inherit" }}>
        {words.seeRows}
      </PlainLink>
    </Notice>
  );
}
