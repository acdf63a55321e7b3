import { ConnectedNotice } from "#web/frame/connected-notice.tsx";
import { DemoNotice } from "#web/frame/demo.tsx";
import { BAR_HEIGHT } from "#web/frame/inset.ts";
import { Footer } from "#web/frame/footer.tsx";
import { TopBar } from "#web/frame/top-bar.tsx";
import { frameWords } from "#web/frame/words.ts";
import { OfflineNotice } from "#web/kit/offline-notice.tsx";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import Container from "@mui/material/Container";
import { styled } from "@mui/material/styles";
import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";

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
