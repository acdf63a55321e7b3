import { Gs1Tab } from "#features/labels/web/gs1/gs1-tab.tsx";
import { paramsFor, findTab, type LabelTab } from "#features/labels/web/rules.ts";
import { labelWords as words } from "#features/labels/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { GroupGate } from "#web/kit/gates.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { keptFileName } from "#web/kit/kept-file.ts";
import { PageHead } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Tabs } from "#web/kit/tabs.tsx";
import { useSearchParams } from "react-router";

const TABS = [
  { value: "gs1", label: words.tabs.gs1 },
  { value: "carrier", label: words.tabs.carrier(boot.retailer) },
  { value: "history", label: words.tabs.history },
] as const;

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
  if (tab === "carrier")
    return (
      <Notice tone="blue" title={words.later.carrier}>
        <p>{words.later.carrierText(boot.retailer)}</p>
      </Notice>
    );
  if (tab === "history")
    return (
      <Notice tone="blue" title={words.later.history}>
        <p>{words.later.historyText}</p>
      </Notice>
    );
  // A new key for each company drops the file, errors and labels of the previous one.
  return company ? <Gs1Tab key={company.id} company={company} /> : <ConnectButton />;
}
