import { Gs1Tab } from "#features/labels/web/gs1/gs1-tab.tsx";
import { findTab, type LabelTab, paramsFor } from "#web/labels/tabs.ts";
import { labelPageWords as words } from "#web/labels/words.ts";
import { boot } from "#web/kit/boot.ts";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { GroupGate } from "#web/kit/gates.tsx";
import { keptFileName } from "#web/kit/kept-file.ts";
import { PageHead } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { Tabs } from "#web/kit/tabs.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Suspense } from "react";
import { useSearchParams } from "react-router";

const TABS = [
  { value: "gs1", label: words.tabs.gs1 },
  { value: "carrier", label: words.tabs.carrier(boot.retailer) },
  { value: "history", label: words.tabs.history },
] as const;

/** The other tabs are loaded when they are first opened. */
const TAB_PARTS = {
  gs1: Gs1Tab,
  carrier: lazyPart(async () => (await import("#features/shipping/web/carrier/carrier-tab.tsx")).CarrierTab),
  history: lazyPart(async () => (await import("#features/shipping/web/history/history-tab.tsx")).HistoryTab),
} as const;

/** Labels page with its three tabs. Only the open tab calls the server. */
export function LabelPage() {
  // Read again when the session ends.
  useSession();
  const name = keptFileName("labels");
  return (
    <>
      <PageHead title={words.title(boot.product)} documentTitle={words.documentTitle} />
      <GroupGate group="brainchild" kept={name && words.kept(name)}>
        <LabelTabs />
      </GroupGate>
    </>
  );
}

function LabelTabs() {
  const [params, setParams] = useSearchParams();
  const tab = findTab(params);
  const choose = (next: LabelTab) => setParams((before) => paramsFor(next, before), { replace: true });
  return (
    <Tabs label={words.tabs.label} value={tab} tabs={TABS} onChange={choose}>
      <TabContent tab={tab} />
    </Tabs>
  );
}

function TabContent({ tab }: { tab: LabelTab }) {
  const { company } = useSession();
  if (!company) return <ConnectButton />;
  const Tab = TAB_PARTS[tab];
  // A new key for each company drops the file, errors and labels of the previous one.
  return (
    // A boundary of its own for each tab: otherwise the last one stays until the next one's code has come.
    <Suspense key={tab} fallback={<Spinner label={kitWords.loadingPage} />}>
      <Tab key={company.id} company={company} />
    </Suspense>
  );
}
