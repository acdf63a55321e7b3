import { UploadPage } from "#features/invoices/web/page.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import type { ListedUpload } from "#features/invoices/contract.ts";
import { PAGE_SIZE, uploadsQuery } from "#features/invoices/web/queries.ts";
import { withFixes } from "#features/invoices/web/results/upload-summary.ts";
import { trackingQuery } from "#features/tracking/web/queries.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { counted, formatCount } from "#web/kit/format.ts";

/** Upload page, with a line of what waits there and in Tracking. */
export const InvoicesPage = () => <UploadPage Waiting={Waiting} />;

/** Texts of the line of what waits on the Upload page. */
const words = {
  waiting: "Waiting for you:",
  nothing: "Nothing is waiting for you.",
  problems: (count: number) => `${counted(count, "invoice")} ${count === 1 ? "needs" : "need"} fixing`,
  unconfirmed: (count: number) => `${formatCount(count)} not confirmed by QuickBooks`,
  withoutProof: (count: number) =>
    count === 1 ? "1 delivery without proof" : `${formatCount(count)} deliveries without proof`,
  withoutProofHref: "/tracking/?show=without_proof",
  receiptHref: (id: string) => `?receipt=${id}`,
} as const;

/** Counts of work that waits for a user in the newest uploads and in deliveries, in one line whose parts are links. */
function Waiting({ company }: { company: SessionCompany }) {
  const { data } = useQuery(uploadsQuery(company.id, PAGE_SIZE));
  const isFollowed = company.tracking === true;
  const { data: tracking } = useQuery({ ...trackingQuery(company.id), enabled: isFollowed });
  if (!data || (isFollowed && !tracking)) return "\u00a0";
  const parts = [
    ...listUploads(data.uploads),
    { count: tracking?.counts.without_proof ?? 0, name: words.withoutProof, to: words.withoutProofHref },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return data.uploads.length === 0 ? "\u00a0" : words.nothing;
  return (
    <>
      {words.waiting}{" "}
      {parts.map(({ count, name, to }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two parts may lead to one receipt
        <Fragment key={at}>
          {at === 0 ? null : " · "}
          <TextLink to={to}>{name(count)}</TextLink>
        </Fragment>
      ))}
    </>
  );
}

/** Counts of invoices, each with the receipt of the newest upload that has some. */
function listUploads(uploads: readonly ListedUpload[]) {
  return (["problems", "unconfirmed"] as const).flatMap((kind) => {
    const found = uploads
      .map((upload) => ({ id: upload.id, count: withFixes(upload)[kind] }))
      .filter(({ count }) => count > 0);
    const [newest] = found;
    if (!newest) return [];
    const count = found.reduce((sum, each) => sum + each.count, 0);
    return [{ count, name: words[kind], to: words.receiptHref(newest.id) }];
  });
}
