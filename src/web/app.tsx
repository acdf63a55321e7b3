import { Frame } from "#web/frame/frame.tsx";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import { LiveRegions } from "#web/kit/live-region.tsx";
import { createQueryClient } from "#web/kit/query-client.ts";
import { type Reporter, ReporterContext } from "#web/kit/reporter.ts";
import { SessionProvider } from "#web/kit/session/session-provider.tsx";
import { Pages } from "#web/routes.tsx";
import { theme } from "#web/theme/theme.ts";
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

/** The complete page below the router. */
export function App({ reporter }: { reporter: Reporter }) {
  return (
    <Providers reporter={reporter}>
      <SessionProvider>
        <Frame>
          <Pages />
        </Frame>
      </SessionProvider>
    </Providers>
  );
}

/** Provides every page with theme, query client, error reporter and live regions; the session comes separately. */
export function Providers({ reporter, children }: { reporter: Reporter; children: ReactNode }) {
  const [queries] = useState(() => createQueryClient(reporter));
  const [styles] = useState(styleCache);
  return (
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="colorMode">
        <CssBaseline enableColorScheme />
        <ReporterContext value={reporter}>
          <QueryClientProvider client={queries}>
            <LiveRegions>
              <PageBoundary>{children}</PageBoundary>
            </LiveRegions>
          </QueryClientProvider>
        </ReporterContext>
      </ThemeProvider>
    </CacheProvider>
  );
}

// The content security policy allows only style elements with this page's nonce.
function styleCache() {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  // Default in built pages; in tests one style element per rule would take a quarter of their time.
  return createCache({ key: "css", speedy: true, ...(nonce ? { nonce } : {}) });
}
