import { homeWords } from "#web/home/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Card } from "#web/kit/card.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { forgetDrafts } from "#web/kit/use-draft.ts";
import { grid, span } from "#web/theme/grid.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";

/** A card of the page's grid. */
const panel = (columns?: Parameters<typeof span>[0]) => ({ ...span(columns), mb: 0, p: { xs: 2, sm: 4 } });

/** Panels side by side end in line with their buttons. */
const column = { display: "flex", flexDirection: "column", alignItems: "flex-start" } as const;
const foot = { mt: "auto" } as const;

/** The landing page. */
export function HomePage() {
  return (
    <>
      <SignedOutNotice />
      <Box sx={grid}>
        <Card label={boot.product} sx={{ ...panel({ md: 7, lg: 8 }), ...column }}>
          <PageTitle documentTitle={homeWords.documentTitle}>{homeWords.title(boot.product)}</PageTitle>
          <Box component="ul" sx={{ pl: 3, mb: 3, fontSize: "1.125rem", "& li": { mb: 1 } }}>
            {homeWords.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </Box>
          <Button component={Link} to="/app/" variant="contained" sx={foot}>
            {homeWords.getStarted}
          </Button>
        </Card>
        {boot.ediPartnerUrl ? (
          <Card title={homeWords.edi.title} sx={{ ...panel({ md: 5, lg: 4 }), ...column }}>
            <p style={{ marginTop: 0 }}>{homeWords.edi.text}</p>
            <Button href={boot.ediPartnerUrl} rel="noopener" variant="outlined" sx={foot}>
              {homeWords.edi.link}
            </Button>
          </Card>
        ) : null}
        {boot.demo ? <DemoPanel /> : null}
      </Box>
    </>
  );
}

function DemoPanel() {
  return (
    <Card title={homeWords.demo.title} sx={panel()}>
      <p style={{ marginTop: 0 }}>{homeWords.demo.text}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
        <Button component={Link} to="/app/" variant="contained" color="secondary">
          {homeWords.demo.start}
        </Button>
        {boot.simulators ? (
          <Button href={boot.simulators.intuit} variant="outlined">
            {homeWords.demo.books}
          </Button>
        ) : null}
      </Box>
    </Card>
  );
}

function SignedOutNotice() {
  const announce = useAnnounce();
  const signedOut = useSearchParams()[0].has("signed_out");
  useEffect(() => {
    if (!signedOut) return;
    forgetDrafts();
    announce(homeWords.signedOut);
  }, [signedOut, announce]);
  return signedOut ? <Notice tone="blue">{homeWords.signedOut}</Notice> : null;
}
