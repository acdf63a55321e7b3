import { DemoNotice } from "#web/frame/demo-notice.tsx";
import { Footer } from "#web/frame/footer.tsx";
import { TopBar } from "#web/frame/top-bar.tsx";
import { frameWords } from "#web/frame/words.ts";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import Container from "@mui/material/Container";
import { styled } from "@mui/material/styles";
import { type MouseEvent, type ReactNode, useRef } from "react";

const SkipLink = styled("a")(({ theme }) => ({
  position: "absolute",
  top: 8,
  left: 8,
  zIndex: theme.zIndex.appBar + 1,
  padding: "10px 16px",
  borderRadius: 8,
  color: (theme.vars ?? theme).palette.text.primary,
  backgroundColor: (theme.vars ?? theme).palette.background.paper,
  transform: "translateY(-200%)",
  "&:focus": { transform: "none" },
}));

/** What every page shares: skip link, top bar, main area, footer. */
export function Frame({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
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
        // The footer starts below the fold, so that a page filling up does not push it about in view.
        sx={{ flex: 1, minHeight: "calc(100vh - 64px)", py: { xs: 3, md: 5 } }}
      >
        <PageBoundary>{children}</PageBoundary>
      </Container>
      <Footer />
    </div>
  );
}
