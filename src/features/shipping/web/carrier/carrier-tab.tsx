import type { SessionCompany } from "#features/identity/contract.ts";
import type { OpenOrders } from "#features/shipping/contract.ts";
import { AccountLine, BlockedNotice } from "#features/shipping/web/carrier/account-line.tsx";
import { AddButton, DropZone, useAddOrders } from "#features/shipping/web/carrier/add-orders.tsx";
import { type Carrier, CarrierContext } from "#features/shipping/web/carrier/carrier-context.ts";
import { FindOrders } from "#features/shipping/web/carrier/find-orders.tsx";
import {
  createOrderStore,
  OrderStoreContext,
  useOrderStore,
} from "#features/shipping/web/carrier/order-store.ts";
import { openOrdersQuery } from "#features/shipping/web/shipment/queries.ts";
import { type ListedOrder, keepShown } from "#features/shipping/web/carrier/rules-orders.ts";
import { SettingsPart } from "#features/shipping/web/carrier/settings-part.tsx";
import { useGenerate } from "#features/shipping/web/carrier/use-generate.ts";
import { carrierTabWords as words } from "#features/shipping/web/carrier/words.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { isoDay } from "#web/kit/format.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Loading } from "#web/kit/spinner.tsx";
import { openDraft } from "#web/kit/use-draft.ts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

// Rare, and so not loaded with the tab.
const BatchResult = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).BatchResult,
);
const CanceledOrders = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).CanceledOrders,
);
const DueNotices = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).DueNotices,
);
const TakenFiles = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).TakenFiles,
);

/** Open orders of the retail customer: their cartons, UPS labels and packing slips. */
export function CarrierTab({ company }: { company: SessionCompany }) {
  const { email } = useSession();
  const [store] = useState(() => createOrderStore(openDraft(`orders.${email}.${company.id}`)));
  const { data, dataUpdatedAt: readAt, error, refetch, isPending } = useQuery(openOrdersQuery(company.id));
  useEffect(() => {
    window.addEventListener("pagehide", store.flush);
    return () => {
      window.removeEventListener("pagehide", store.flush);
      store.flush();
    };
  }, [store]);
  return (
    <OrderStoreContext value={store}>
      <Loading isBusy={isPending} label={words.loading}>
        <FailedCall error={error} onRetry={() => void refetch()} />
        {data ? <OpenTab company={company} data={data} readAt={readAt} /> : null}
      </Loading>
    </OrderStoreContext>
  );
}

type OpenProps = { company: SessionCompany; data: OpenOrders; readAt: number };

function OpenTab({ company, data, readAt }: OpenProps) {
  const store = useOrderStore();
  const intake = useAddOrders(company.id);
  const { generate, batch, ...batches } = useGenerate(company.id, store);
  const shown = useShown(data);
  // The tab may stay open for days.
  const today = isoDay(readAt);
  const blocked = data.blocked === null ? null : words.blocked[data.blocked].reason;
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const carrier = useMemo<Carrier>(
    () => ({
      realmId: company.id,
      blocked,
      presets: data.presets,
      services: data.services,
      today,
      generate: (order) => void generate(order),
      openSettings: () => setSettingsOpen(true),
    }),
    [company.id, blocked, data.presets, data.services, today, generate],
  );
  const [revealed, setRevealed] = useState<string | null>(null);
  // One band at a time: a new result replaces the last one, and a result what else is to be said.
  const hasResult = batch !== null || intake.taken.length > 0;
  const results = useRef<HTMLDivElement>(null);
  const add = (files: readonly File[]) => {
    batches.dismiss();
    intake.add(files);
  };
  const isRefused = data.blocked === "reconnect_needed";
  return (
    <CarrierContext value={carrier}>
      <DropZone onDrop={add}>
        {hasResult ? null : <BlockedNotice blocked={data.blocked} admin={company.admin ?? null} />}
        {isRefused && !hasResult ? null : <AccountLine ending={data.account_ending} isRefused={isRefused} />}
        {data.due_notices.length + data.due_xml_notices.length === 0 ? null : (
          <Suspense>
            <DueNotices realmId={company.id} x12={data.due_notices} xml={data.due_xml_notices} />
          </Suspense>
        )}
        <FindOrders
          orders={shown}
          revealed={revealed}
          onGenerate={(orders) => {
            intake.dismiss();
            // The pressed button goes with the selection. Else the first order that is made would take focus.
            results.current?.focus();
            void batches.generateAll(orders, setRevealed);
          }}
          isMainElsewhere={batch !== null}
          added={intake.added}
          add={<AddButton isAdding={intake.isAdding} onAdd={add} />}
        >
          {(openPo, openOrder) => (
            <div ref={results} tabIndex={-1}>
              {intake.taken.length === 0 ? null : (
                <Suspense>
                  <TakenFiles
                    realmId={company.id}
                    taken={intake.taken}
                    isAdding={intake.isAdding}
                    onDismiss={intake.dismiss}
                    onAdd={add}
                    onCorrect={intake.correct}
                    onOpen={openPo}
                  />
                </Suspense>
              )}
              {batch ? (
                <Suspense>
                  <BatchResult
                    batch={batch}
                    shown={shown}
                    onDismiss={batches.dismiss}
                    place={results}
                    onOpen={openOrder}
                  />
                </Suspense>
              ) : null}
            </div>
          )}
        </FindOrders>
      </DropZone>
      {data.cancelled.length === 0 ? null : (
        <Suspense>
          <CanceledOrders realmId={company.id} orders={data.cancelled} />
        </Suspense>
      )}
      <SettingsPart company={company} isOpen={isSettingsOpen} onToggle={setSettingsOpen} />
    </CarrierContext>
  );
}

type Shown = { data: OpenOrders | null; version: number; orders: readonly ListedOrder[] };

/** The listed orders: the server's, and those that stay until the tab is left. */
function useShown(data: OpenOrders): readonly ListedOrder[] {
  const store = useOrderStore();
  const version = useSyncExternalStore(store.subscribe, store.readVersion);
  const [shown, setShown] = useState<Shown>({ data: null, version, orders: [] });
  if (shown.data === data && shown.version === version) return shown.orders;
  const orders = keepShown(shown.orders, { ...data, local: store.read });
  setShown({ data, version, orders });
  return orders;
}
