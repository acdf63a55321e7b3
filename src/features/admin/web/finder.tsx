import { pagePath } from "#features/admin/web/paths.ts";
import { findQuery } from "#features/admin/web/queries.ts";
import { adminWords, type PageName } from "#features/admin/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { LIST } from "#web/kit/lists.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { useSearch } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.find;

/** Search over everything, in a row that wraps; each result below it opens the page that shows it. */
export function Finder() {
  const [typed, setTyped, text] = useSearch();
  return (
    <>
      <Box
        role="search"
        aria-label={words.label}
        sx={{ flex: { xs: "1 1 100%", sm: "0 1 22rem" }, "& > span": { width: "100%" } }}
      >
        <SearchField label={words.label} placeholder={words.placeholder} value={typed} onChange={setTyped} />
      </Box>
      {text.length >= 2 ? <Results text={text} /> : null}
    </>
  );
}

function Results({ text }: { text: string }) {
  const { data, error, isPending, refetch } = useQuery(findQuery(text));
  return (
    <section aria-label={words.results(text)} style={{ flex: "1 1 100%" }}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.hits.length === 0 ? <p role="status">{words.none(text)}</p> : null}
        <Box component="ul" sx={LIST}>
          {data?.hits.map(({ page, title, note, search }) => (
            <Box
              component="li"
              key={`${page} ${title} ${search}`}
              sx={{ py: 1, borderBottom: 1, borderColor: "divider", overflowWrap: "anywhere" }}
            >
              <TextLink to={`${pagePath(page as PageName)}?search=${encodeURIComponent(search)}`}>
                {title}
              </TextLink>
              <Box sx={{ typography: "caption", color: "text.caption" }}>
                {[adminWords.pages[page as PageName].title, note].filter(Boolean).join(" · ")}
              </Box>
            </Box>
          ))}
        </Box>
      </Loading>
    </section>
  );
}
