import { UploadPage } from "#features/invoices/web/page.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import type { WaitingInvoices } from "#features/invoices/contract.ts";
import { PAGE_SIZE, uploadsQuery, waitingQuery } from "#features/invoices/web/queries.ts";
import { trackingQuery } from "#features/tracking/web/queries.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { counted, formatCount } from "#web/kit/format.ts";

/** Upload page, with a line of what waits there and in Tracking. */
export const InvoicesPage = () => <UploadPage Waiting={Waiting} />;

/** UI text for the line about waiting work on the Upload page. */
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

/** Counts of work that waits for a user in uploads and deliveries, in one line whose parts are links. */
function Waiting({ company }: { company: SessionCompany }) {
  const { data: list } = useQuery(uploadsQuery(company.id, PAGE_SIZE));
  const { data: invoices } = useQuery(waitingQuery(company.id, { isWorking: list?.in_process === true }));
  const isFollowed = company.tracking === true;
  const { data: tracking } = useQuery({ ...trackingQuery(company.id), enabled: isFollowed });
  if (!list || !invoices || (isFollowed && !tracking)) return "\u00a0";
  const parts = [
    ...listInvoices(invoices),
    { count: tracking?.counts.without_proof ?? 0, name: words.withoutProof, to: words.withoutProofHref },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return list.uploads.length === 0 ? "\u00a0" : words.nothing;
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
const listInvoices = (waiting: WaitingInvoices) =>
  (["problems", "unconfirmed"] as const).map((kind) => {
    const { invoices: count, upload_id: id } = waiting[kind];
    return { count, name: words[kind], to: words.receiptHref(id ?? "") };
  });
