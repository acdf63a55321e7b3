import { DemoNotice } from "#web/frame/demo.tsx";
import { BAR_HEIGHT } from "#web/frame/inset.ts";
import { Footer } from "#web/frame/footer.tsx";
import { TopBar } from "#web/frame/top-bar.tsx";
import { frameWords, frameWords as words } from "#web/frame/words.ts";
import { OfflineNotice } from "#web/kit/offline-notice.tsx";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import Container from "@mui/material/Container";
import { styled } from "@mui/material/styles";
import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useSession } from "#web/kit/session/session.ts";
import { clearNotice } from "#web/kit/clear-notice.ts";
import { useLocation, useSearchParams } from "react-router";

const SkipLink = styled("a")(({ theme }) => ({
  position: "absolute",
  top: 8,
  left: 8,
  zIndex: theme.zIndex.appBar + 1,
  padding: "10px 16px",
  borderRadius: 6,
  color: (theme.vars ?? theme).palette.text.primary,
  backgroundColor: (theme.vars ?? theme).palette.background.paper,
  transform: "translateY(-200%)",
  "&:focus": { transform: "none" },
}));

/** The frame of every page: skip link, top bar, main area, footer. */
export function Frame({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useEffect(ignoreDroppedFiles, []);
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div style={{ minHeight: "100vh", display: "flex", flexDirection: "column" }}>
      <SkipLink href="#main" onClick={skip}>
        {frameWords.skip}
      </SkipLink>
      <TopBar />
      <DemoNotice />
      <Container
        component="main"
        id="main"
        ref={main}
        tabIndex={-1}
        maxWidth="lg"
        // The footer starts below the fold, so that loading content does not visibly push it down.
        sx={{
          flex: 1,
          minHeight: `calc(100vh - ${BAR_HEIGHT}px)`,
          pt: { xs: 3, sm: 4 },
          pb: { xs: 6, sm: 8 },
        }}
      >
        <OfflineNotice />
        <ConnectedNotice />
        <PageBoundary>{children}</PageBoundary>
      </Container>
      <Footer />
    </div>
  );
}

/**
 * Prevents the browser from opening a dropped file in place of the page.
 * @returns a function that restores the browser's default
 */
export function ignoreDroppedFiles() {
  const refuse = (event: globalThis.DragEvent) => {
    const { dataTransfer, defaultPrevented: isTaken } = event;
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  const events = ["dragover", "drop"] as const;
  for (const name of events) window.addEventListener(name, refuse);
  return () => events.forEach((name) => window.removeEventListener(name, refuse));
}

/**
 * Names the company that was just connected (`?connected={realm id}`), on the page the server redirected to,
 * and makes it current once.
 */
function ConnectedNotice() {
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
