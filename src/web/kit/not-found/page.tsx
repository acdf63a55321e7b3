import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Typography from "@mui/material/Typography";
import { useLocation } from "react-router";

/** UI text for the 404 page. */
const words = {
  code: "404",
  title: "Page Not Found",
  message: "This page could not be located.",
  typo: (path: string) => `Is there a typo in "${path}"?`,
  home: "Go to the home page",
} as const;

/** Shown for every address without a page. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <>
      <Typography
        component="p"
        sx={{
          m: 0,
          fontSize: "4rem",
          fontWeight: 900,
          lineHeight: 1,
          letterSpacing: "-0.03em",
          color: "text.caption",
        }}
      >
        {words.code}
      </Typography>
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        <p>{words.message}</p>
        <p style={{ overflowWrap: "anywhere" }}>{words.typo(decode(pathname))}</p>
        <TextLink to="/">{words.home}</TextLink>
      </Sheet>
    </>
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
