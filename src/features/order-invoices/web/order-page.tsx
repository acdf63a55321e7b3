import type { OrderInvoice, ThreadView } from "#features/order-invoices/contract.ts";
import { InvoiceOfOrder } from "#features/order-invoices/web/invoice-of-order.tsx";
import { MarkIcon, marksLook } from "#features/order-invoices/web/marks.tsx";
import { MatchQuestions } from "#features/order-invoices/web/match-questions.tsx";
import { threadQuery, useThreads } from "#features/order-invoices/web/queries.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { decideOrder } from "#features/orders/contract.ts";
import { downloadPackingSlip } from "#features/shipping/contract.ts";
import { readPack } from "#features/tracking/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { ActionList } from "#web/kit/lists.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Loading, Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";

const words = threadWords.order;

// Rare: the retailer changed the order, and a user has not answered yet.
const WaitingOrder = lazyPart(async () => (await import("#web/kit/waiting-order.tsx")).WaitingOrder);

type Props = { realmId: string; orderId: string; toList: string };

/** One order: what happened to it, and what was ordered, shipped and billed. */
export function OrderPage({ realmId, orderId, toList }: Props) {
  const { data, error, isPending, refetch } = useQuery(threadQuery(realmId, orderId));
  const po = data?.thread.po_number;
  return (
    <>
      <PageHead
        title={data ? words.heading(data.thread.po_number, data.thread.customer_name) : words.label}
        documentTitle={po === undefined ? words.label : threadWords.po(po)}
        crumb={{
          to: toList,
          parent: threadWords.documentTitle,
          here: po === undefined ? words.label : threadWords.po(po),
        }}
      >
        {data?.thread.words ?? "\u00a0"}
      </PageHead>
      <Loading isBusy={isPending} label={words.loading}>
        {data ? <Opened realmId={realmId} orderId={orderId} view={data} /> : null}
      </Loading>
      <FailedCall error={error} {...(error ? { onRetry: () => void refetch() } : {})} />
    </>
  );
}

function Opened({ realmId, orderId, view }: { realmId: string; orderId: string; view: ThreadView }) {
  const { invoices, steps, slip_file: slip, thread, waiting } = view;
  const queries = useQueryClient();
  return (
    <>
      {waiting ? (
        <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
          <WaitingOrder
            po={thread.po_number}
            waiting={waiting}
            canUseNew={waiting.can_use_new}
            note={waiting.note}
            choose={async (choice) => {
              await call(decideOrder, {
                body: { order_id: orderId, choice, received_at: waiting.received_at },
                realmId,
              });
              await queries.invalidateQueries({ queryKey: queryKeys.orders(realmId) });
            }}
          />
        </Suspense>
      ) : null}
      {view.asks_shipped ? (
        <ShippedQuestion realmId={realmId} orderId={orderId} po={thread.po_number} />
      ) : null}
      <OwnQuestions realmId={realmId} invoices={invoices} />
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) minmax(0, 3fr)" },
          columnGap: 5,
          rowGap: 3,
          mt: 3,
          "& h2": { mt: 0, mb: 1.5 },
        }}
      >
        <section aria-labelledby="timeline">
          <h2 id="timeline">{words.timeline}</h2>
          <Timeline steps={steps} />
          <ActionList>
            <DownloadButton
              type={words.slip}
              detail={words.forPo(thread.po_number)}
              fileName={words.slipName(thread.po_number)}
              look="action"
              fetchDocument={() =>
                call(downloadPackingSlip, { params: { filename: slip }, query: {}, realmId })
              }
            />
            {invoices.map(({ pack_of: id, number }) =>
              id === null ? null : (
                <DownloadButton
                  key={id}
                  type={words.pack}
                  detail={words.forInvoice(number ?? id)}
                  fileName={words.packName(number ?? id)}
                  look="action"
                  fetchDocument={() =>
                    call(readPack, { params: { invoice_id: id }, query: { realm_id: realmId }, realmId })
                  }
                />
              ),
            )}
          </ActionList>
        </section>
        <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 4, alignContent: "start" }}>
          {invoices.length === 0 ? (
            <section aria-labelledby="lines">
              <h2 id="lines">{words.table}</h2>
              <p>{words.notShipped}</p>
            </section>
          ) : null}
          {invoices.map((invoice, at) => (
            <InvoiceOfOrder
              key={invoice.id}
              realmId={realmId}
              orderId={orderId}
              invoice={invoice}
              title={invoices.length === 1 ? words.table : words.nameTable(at + 1, invoices.length)}
            />
          ))}
        </Box>
      </Box>
    </>
  );
}

/** The retailer canceled what has labels: they are voided, or a user says that it shipped. */
function ShippedQuestion({ realmId, orderId, po }: { realmId: string; orderId: string; po: string }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(decideOrder, { body: { order_id: orderId, choice: "shipped" }, realmId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.orders(realmId) }),
  });
  return (
    <Notice tone="amber" role="group" label={words.canceled} title={words.canceled}>
      <p>{words.canceledText}</p>
      <BusyButton
        label={words.shipped}
        detail={words.shippedDetail(po)}
        isBusy={isPending}
        onClick={() => mutate()}
      />
      <FailedCall error={error} />
    </Notice>
  );
}

/** Names that this order waits for; they are the same as in the list. */
function OwnQuestions({ realmId, invoices }: { realmId: string; invoices: readonly OrderInvoice[] }) {
  const open = invoices.filter(({ waits }) => waits.length > 0);
  const { data } = useThreads(realmId, { show: "differs", search: "" });
  const isOwn = (kind: string, written: string) =>
    open.some(({ customer, lines, unknown_terms: terms }) => {
      if (kind === "customer") return customer === null;
      return kind === "term"
        ? terms === written
        : lines.some(({ item, sku }) => item === null && sku === written);
    });
  const questions = data?.pages[0]?.questions.filter(({ kind, written }) => isOwn(kind, written)) ?? [];
  return <MatchQuestions realmId={realmId} questions={questions} />;
}

const Steps = styled("ol")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    ...marksLook(theme),
    listStyle: "none",
    margin: 0,
    padding: 0,
    "& > li": {
      position: "relative",
      display: "grid",
      gridTemplateColumns: "18px minmax(0, 1fr)",
      columnGap: 12,
      paddingBottom: 16,
      overflowWrap: "anywhere",
    },
    "& > li > i": { marginTop: 3 },
    "& > li:not(:last-child)::before": {
      content: '""',
      position: "absolute",
      left: 8,
      top: 22,
      bottom: -3,
      borderLeft: `2px solid ${palette.line.strong}`,
    },
    "& small": { display: "block", ...typeScale.caption, color: palette.text.caption },
  };
});

function Timeline({ steps }: { steps: ThreadView["steps"] }) {
  return (
    <Steps>
      {steps.map(({ name, mark, facts }) => (
        <li key={name}>
          <MarkIcon mark={mark} />
          <span>
            <b>{name}</b>
            <span style={visuallyHidden}> {threadWords.marks[mark]}</span>
            {facts.map(({ text, at, time }) => (
              <small key={`${text} ${at}`}>{time === "" ? text : `${text} · ${time}`}</small>
            ))}
          </span>
        </li>
      ))}
    </Steps>
  );
}
