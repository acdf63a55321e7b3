import {
  changeOrderInvoiceSettings,
  THREAD_FILTERS,
  type Thread,
} from "#features/order-invoices/contract.ts";
import type { ThreadFilter, ThreadList } from "#features/order-invoices/contract.ts";
import { money, sumMoney } from "#features/order-invoices/web/format.ts";
import { MatchQuestions } from "#features/order-invoices/web/match-questions.tsx";
import { OrderList } from "#features/order-invoices/web/order-list.tsx";
import { OrderPage } from "#features/order-invoices/web/order-page.tsx";
import { readyQuery, threadsKey, useThreads } from "#features/order-invoices/web/queries.ts";
import { usePost } from "#features/order-invoices/web/use-post.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { formatCount } from "#web/kit/format.ts";
import { GroupGate } from "#web/kit/gates.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { Sentence } from "#web/kit/sentence.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SummaryBand } from "#web/kit/summary-band.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import { useSavedChoices } from "#web/kit/use-saved-choices.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";

const ORDER = "order";
const SHOW = "show";
const SEARCH = "q";

const head = { title: words.title(boot.product), documentTitle: words.documentTitle };

/** Orders page: how far each order is, and one of them opened. */
export function OrdersPage() {
  const { authStatus, company, groups } = useSession();
  if (authStatus === "success" && groups.includes("brainchild") && company)
    return <Orders key={company.id} realmId={company.id} />;
  return (
    <>
      <PageHead {...head} />
      <GroupGate group="brainchild">
        <ConnectButton />
      </GroupGate>
    </>
  );
}

/** The opened order and the shown part of the list are in the address, which may also ask for a search, as mails do. */
function useAddress() {
  const [params, setParams] = useSearchParams();
  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value === null) next.delete(name);
    else next.set(name, value);
    return next;
  };
  return {
    orderId: params.get(ORDER),
    search: params.get(SEARCH) ?? "",
    show: THREAD_FILTERS.find((value) => value === params.get(SHOW)) ?? "all",
    setShow: (next: ThreadFilter) => setParams(change(SHOW, next === "all" ? null : next), { replace: true }),
    toOrder: (id: string) => `?${change(ORDER, id)}`,
    toList: `?${change(ORDER, null)}`,
  };
}

function Orders({ realmId }: { realmId: string }) {
  const address = useAddress();
  useHeadingFocus(address.orderId ?? "list");
  const [typed, setTyped] = useState(address.search);
  if (address.orderId !== null)
    return (
      <OrderPage key={address.orderId} realmId={realmId} orderId={address.orderId} toList={address.toList} />
    );
  return <Overview realmId={realmId} address={address} typed={typed} onType={setTyped} />;
}

/** Keeps the place of what is not loaded yet, so that nothing moves when it is. */
const UNSEEN = { visibility: "hidden" } as const;
const A_TIME = "12:00 PM EST";
const NO_SHARE = { orders: 0, amount: "0.00" };
const NO_SHARES = {
  all: NO_SHARE,
  ready: NO_SHARE,
  differs: NO_SHARE,
  retailer: NO_SHARE,
  done: NO_SHARE,
};

type OverviewProps = {
  realmId: string;
  address: ReturnType<typeof useAddress>;
  typed: string;
  onType: (text: string) => void;
};

function Overview({ realmId, address, typed, onType }: OverviewProps) {
  const search = useSettled(typed.trim());
  const list = useThreads(realmId, { show: address.show, search });
  const { data: ready } = useQuery(readyQuery(realmId, search));
  const { chosen, selection } = useSelection(ready?.threads ?? []);
  const post = usePost(realmId);
  const first = list.data?.pages[0];
  return (
    <>
      <PageHead {...head} mark={first && first.last_order_at !== null ? "on" : "off"}>
        <Arrivals list={first} />
      </PageHead>
      <div style={first ? {} : UNSEEN}>
        <Figures shares={first?.shares ?? NO_SHARES}>
          <Box sx={{ textAlign: { sm: "right" } }}>
            <BusyButton
              variant="contained"
              label={
                chosen.length > 0
                  ? words.post(chosen.length, sumMoney(chosen.map(({ amount }) => amount)))
                  : words.nothingSelected
              }
              disabled={chosen.length === 0}
              isBusy={post.isPending || (first?.posting ?? 0) > 0}
              onClick={() => post.mutate(chosen.map(({ order_id: id }) => id))}
            />
            <Box component="p" sx={{ m: 0, mt: 0.5, typography: "caption", color: "text.caption" }}>
              {words.postHint}
            </Box>
          </Box>
        </Figures>
      </div>
      <FailedCall error={post.error} />
      <ErrorBlock
        title={words.leftOut}
        message={post.data?.left_out.map(({ problem }) => problem).join("\n")}
      />
      {first ? <MatchQuestions realmId={realmId} questions={first.questions} /> : null}
      <OrderList
        query={list}
        shares={first?.shares}
        show={address.show}
        onShow={address.setShow}
        typed={typed}
        onType={onType}
        toOrder={address.toOrder}
        selection={selection}
      />
      {first ? <PostsWhenShipped realmId={realmId} isOn={first.posts_when_shipped} /> : null}
    </>
  );
}

/** Names the retailers with stored orders, and when the last one came in. */
function Arrivals({ list }: { list: ThreadList | undefined }) {
  const { isCompanyAdmin } = useSession();
  const [retailers, last] = list
    ? [list.retailers, list.last_order_at && list.last_order_time]
    : [[boot.retailer], A_TIME];
  return (
    <span style={list ? {} : UNSEEN}>
      <Sentence>{words.arrive(retailers)}</Sentence>{" "}
      {last === null ? null : <Sentence>{words.last(last)}</Sentence>}{" "}
      {isCompanyAdmin ? <TextLink to={words.folder.to}>{words.folder.name}</TextLink> : null}
    </span>
  );
}

/** Ready orders are selected until a user leaves some out. */
function useSelection(ready: readonly Thread[]) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    ({ order_id: id }: Thread, isSelected: boolean) =>
      setLeft((before) => {
        const next = new Set(before);
        if (isSelected) next.delete(id);
        else next.add(id);
        return next;
      }),
    [],
  );
  const chosen = ready.filter(({ order_id: id }) => !left.has(id));
  const all = chosen.length === 0 ? false : chosen.length === ready.length ? true : null;
  return {
    chosen,
    selection: {
      isSelected: ({ order_id: id }: Thread) => !left.has(id),
      toggle,
      all,
      toggleAll: (isSelected: boolean) =>
        setLeft(new Set(isSelected ? [] : ready.map(({ order_id: id }) => id))),
    },
  };
}

type FiguresProps = { shares: ThreadList["shares"]; children: React.ReactNode };

function Figures({ shares: { ready, differs, retailer, done }, children }: FiguresProps) {
  const figure = (label: string, { orders, amount }: typeof ready) => ({
    label,
    value: formatCount(orders),
    ...(orders > 0 ? { note: money(amount) } : {}),
  });
  const { filters } = words;
  return (
    <SummaryBand
      label={words.figures}
      figures={[
        { ...figure(filters.ready, ready), mark: "green" },
        { ...figure(filters.differs, differs), ...(differs.orders > 0 ? { mark: "amber" } : {}) },
        figure(filters.retailer, retailer),
        figure(filters.done, done),
      ]}
    >
      {children}
    </SummaryBand>
  );
}

/** For the company's admin. */
function PostsWhenShipped({ realmId, isOn }: { realmId: string; isOn: boolean }) {
  const { isCompanyAdmin } = useSession();
  const { now, choose, error } = useSavedChoices({
    saved: { posts_when_shipped: isOn },
    save: (body) => call(changeOrderInvoiceSettings, { body, realmId }),
    queryKey: threadsKey(realmId),
  });
  if (!isCompanyAdmin) return null;
  return (
    <>
      <Choice
        type="checkbox"
        checked={now.posts_when_shipped}
        onChange={({ target }) => choose({ posts_when_shipped: target.checked })}
      >
        {words.auto}
      </Choice>
      <FailedCall error={error} />
    </>
  );
}
