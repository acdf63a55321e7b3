import type { Group } from "#contract/endpoint.ts";
import { CompanySwitch } from "#web/frame/company-switch.tsx";
import { DemoNotice } from "#web/frame/demo.tsx";
import { navEntries, NavMenu } from "#web/frame/nav.tsx";
import { TopBar } from "#web/frame/top-bar.tsx";
import { Acted, openAll, openFirst } from "../acted.tsx";
import { manyCompanies } from "../samples.ts";
import { Sample } from "../sample.tsx";
import { olive, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import { type Session, signedOutSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";

const words = galleryWords.frame;
const groups: readonly Group[] = ["app", "brainchild", "admin"];

const viewers: readonly { name: string; session: Session }[] = [
  { name: words.unknown, session: signedOutSession },
  { name: words.guest, session: { ...signedOutSession, authStatus: "error" } },
  { name: words.plain, session: { ...olive, groups: [] } },
  { name: words.app, session: { ...olive, groups: ["app"] } },
  { name: words.labels, session: { ...olive, groups: ["brainchild"] } },
  { name: words.everything, session: { ...olive, groups: [...groups], ...manyCompanies(2) } },
];

/** As wide as in the frame, which has no margins. */
const asWide = { mx: { xs: -2, sm: 0 } } as const;

/** The top bar for each kind of viewer, and its parts. */
export function FrameSection() {
  return (
    <>
      {viewers.map(({ name, session }) => (
        <Sample key={name} name={name}>
          <Stage session={session}>
            <Box sx={asWide}>
              <TopBar />
            </Box>
          </Stage>
        </Sample>
      ))}
      <Sample name={words.menu}>
        <Box sx={{ position: "relative", marginBottom: "340px" }}>
          <Acted act={openAll}>
            <NavMenu entries={navEntries({ signedIn: true, groups, hasTracking: false, addInLink: true })} />
          </Acted>
        </Box>
      </Sample>
      {[1, 2, 12].map((count) => (
        <Sample key={count} name={words.companies(count)}>
          <Stage session={{ ...olive, ...manyCompanies(count) }}>
            <Box sx={{ display: "flex", minWidth: 0 }}>
              <CompanySwitch />
            </Box>
          </Stage>
        </Sample>
      ))}
      <Sample name={words.finder}>
        <Stage session={{ ...olive, ...manyCompanies(12) }}>
          <Box sx={{ ...asWide, marginBottom: "480px" }}>
            <Acted act={openFirst}>
              <TopBar />
            </Acted>
          </Box>
        </Stage>
      </Sample>
      <Sample name={words.notice}>
        <DemoNotice />
      </Sample>
    </>
  );
}
