import type { OrderInvoice } from "#features/order-invoices/contract.ts";
import { Answered } from "#features/order-invoices/web/answered-invoice.tsx";
import { money } from "#features/order-invoices/web/format.ts";
import { useAnswer } from "#features/order-invoices/web/use-answer.ts";
import { usePost } from "#features/order-invoices/web/use-post.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";

const words = threadWords.order;

/** Waits of an invoice that users create in QuickBooks, and that is linked then. */
const IN_BOOKS: ReadonlySet<OrderInvoice["waits"][number]> = new Set(["no_price", "charge", "currency"]);

/** The button, or what the invoice waits for, or where it is in the books. */
export function Closing({
  realmId,
  orderId,
  invoice,
}: {
  realmId: string;
  orderId: string;
  invoice: OrderInvoice;
}) {
  const post = usePost(realmId, invoice.id);
  const answer = useAnswer(realmId, invoice);
  const { state, number, link, waits, can_post: canPost, total, theirs } = invoice;
  const { rejected_document: rejected, doubted_document: doubted } = invoice;
  const named = number ?? "";
  const wait = waits[0];
  return (
    <Box
      sx={{
        mt: 2,
        display: "grid",
        gap: 1.5,
        justifyItems: "end",
        "& > p": { m: 0, color: "text.secondary" },
      }}
    >
      {state === "posting" ? <p role="status">{words.posting}</p> : null}
      {state === "posted" || state === "linked" ? (
        <p role="status">
          {words.stands[state](named)}{" "}
          {link === null ? null : (
            <PlainLink href={link} target="_blank" rel="noopener noreferrer">
              {words.open(named)}
            </PlainLink>
          )}
        </p>
      ) : null}
      {rejected === null ? null : (
        <Answered key={`resend ${rejected}`} realmId={realmId} id={rejected} action="resend" />
      )}
      {doubted === null ? null : (
        <Answered key={`reject ${doubted}`} realmId={realmId} id={doubted} action="reject" />
      )}
      {invoice.asks_portal ? (
        <>
          <p>{words.held}</p>
          <BusyButton
            label={words.portal}
            isBusy={answer.isPending}
            onClick={() => answer.mutate({ answer: "portal" })}
          />
        </>
      ) : null}
      {state === "draft" ? (
        <>
          {wait === undefined ? null : <p>{words.waits[wait]}</p>}
          {wait === "credit" ? (
            <BusyButton
              label={words.credited}
              isBusy={answer.isPending}
              onClick={() => answer.mutate({ answer: "credited" })}
            />
          ) : null}
          {theirs === null && waits.some((each) => IN_BOOKS.has(each)) ? (
            <BusyButton
              label={words.find}
              isBusy={answer.isPending}
              onClick={() => answer.mutate({ answer: "find" })}
            />
          ) : null}
          <BusyButton
            variant="contained"
            label={words.post(money(total))}
            disabled={!canPost}
            isBusy={post.isPending}
            onClick={() => post.mutate([orderId])}
          />
        </>
      ) : null}
      <FailedCall error={post.error ?? answer.error} />
      <ErrorBlock
        title={threadWords.leftOut}
        message={post.data?.left_out.map(({ problem }) => problem).join("\n")}
      />
    </Box>
  );
}
