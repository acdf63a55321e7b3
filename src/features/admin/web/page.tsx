import type { ListName } from "#features/admin/lists/contract.ts";
import { AdminFrame } from "#features/admin/web/frame.tsx";
import { Finder } from "#features/admin/web/finder.tsx";
import { ListPage } from "#features/admin/web/list-page.tsx";
import { readOpened } from "#features/admin/web/paths.ts";
import { Overview } from "#features/admin/web/overview.tsx";
import { Simulators } from "#features/admin/web/simulators.tsx";
import { adminWords as words, type PageName } from "#features/admin/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { NotFoundPage } from "#web/kit/not-found/page.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import { Suspense } from "react";
import { useLocation, useSearchParams } from "react-router";

const OpenedUpload = lazyPart(
  async () => (await import("#features/admin/web/opened-upload.tsx")).OpenedUpload,
);

/** Admin pages, one per path under /controller/. Other users get the 404 page. */
export function AdminPage() {
  const { authStatus, groups } = useSession();
  const { pathname } = useLocation();
  const page = findPage(pathname);
  if ((authStatus === "success" && !groups.includes("admin")) || !page) return <NotFoundPage />;
  const { title } = words.pages[page];
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 4, rowGap: 2, mb: 3 }}>
        <Box sx={{ flex: "1 1 auto" }}>
          <PageTitle flush {...(page === "overview" ? {} : { documentTitle: `${title} · ${words.title}` })}>
            {words.title}
          </PageTitle>
        </Box>
        {authStatus === "success" ? <Finder key={page} /> : null}
      </Box>
      <SignInGate>
        <AdminFrame page={page}>
          <Page page={page} />
        </AdminFrame>
      </SignInGate>
    </>
  );
}

/** The page at a path; null for one that is only there in the demo. */
function findPage(pathname: string): PageName | null {
  const name = pathname.split("/")[2] || "overview";
  if (name === "simulators" && !boot.demo) return null;
  return name in words.pages ? (name as PageName) : null;
}

function Page({ page }: { page: PageName }) {
  const [params] = useSearchParams();
  const opened = page === "uploads" ? readOpened(params) : null;
  if (page === "overview") return <Overview />;
  if (page === "simulators") return <Simulators />;
  if (opened !== null)
    return (
      <Suspense>
        <OpenedUpload key={opened} id={opened} />
      </Suspense>
    );
  return <ListPage list={page satisfies ListName} />;
}
