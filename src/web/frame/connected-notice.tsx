import { frameWords as words } from "#web/frame/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useSession } from "#web/kit/session/session.ts";
import { clearNotice } from "#web/kit/clear-notice.ts";
import { useEffect, useRef } from "react";
import { useLocation, useSearchParams } from "react-router";

/**
 * Names the company that was just connected (`?connected={realm id}`), on the page the server redirected to,
 * and makes it current once.
 */
export function ConnectedNotice() {
  const { companies, company, groups } = useSession();
  const announce = useAnnounce();
  const { pathname } = useLocation();
  const [params, setParams] = useSearchParams();
  const realmId = params.get("connected");
  const name = companies.find(({ id }) => id === realmId)?.name ?? null;
  const sentence = name === null ? null : words.nowConnected(name);
  useEffect(() => {
    if (realmId === null || sentence === null) return;
    realmStore.set(realmId);
    announce(sentence);
  }, [realmId, sentence, announce]);
  const isCurrent = realmId !== null && company?.id === realmId;
  const wasCurrent = useRef(false);
  useEffect(() => {
    const wasLeft = realmId !== null && wasCurrent.current && !isCurrent;
    wasCurrent.current = isCurrent;
    // Another company was chosen: a reload must not undo that.
    if (wasLeft) setParams(clearNotice, { replace: true });
  }, [realmId, isCurrent, setParams]);
  if (sentence === null) return null;
  const isWhereToUpload = pathname.startsWith("/app") && groups.includes("app");
  return (
    <Notice tone="green" title={sentence}>
      {isWhereToUpload ? <p>{words.firstInvoices}</p> : null}
    </Notice>
  );
}
