import { Panel } from "#web/home/panel.tsx";
import { homeWords } from "#web/home/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { forgetDrafts } from "#web/kit/use-draft.ts";
import { grid } from "#web/theme/grid.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";

/** The landing page. */
export function HomePage() {
  return (
    <>
      <SignedOutNotice />
      <Box sx={grid}>
        <Panel label={boot.product}>
          <PageTitle documentTitle={homeWords.documentTitle}>{homeWords.title(boot.product)}</PageTitle>
          <Box component="ul" sx={{ pl: 3, mb: 3, fontSize: "1.125rem", "& li": { mb: 1 } }}>
            {homeWords.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </Box>
          <Button component={Link} to="/app/" variant="contained">
            {homeWords.getStarted}
          </Button>
        </Panel>
        {boot.ediPartnerUrl ? (
          <Panel title={homeWords.edi.title}>
            <p>{homeWords.edi.text}</p>
            <Button href={boot.ediPartnerUrl} rel="noopener" variant="outlined">
              {homeWords.edi.link}
            </Button>
          </Panel>
        ) : null}
        {boot.demo ? <DemoPanel /> : null}
      </Box>
    </>
  );
}

function DemoPanel() {
  return (
    <Panel title={homeWords.demo.title} wide>
      <p>{homeWords.demo.text}</p>
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
    </Panel>
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
  return signedOut ? <p>{homeWords.signedOut}</p> : null;
}
