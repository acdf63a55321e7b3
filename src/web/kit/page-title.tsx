import { boot } from "#web/kit/boot.ts";
import Typography from "@mui/material/Typography";

/** The page's one `h1`, and the title of the document, which ends in the product's name. */
export function PageTitle({ children, documentTitle }: { children: string; documentTitle?: string }) {
  const title = documentTitle ?? children;
  return (
    <>
      <title>{title.endsWith(boot.product) ? title : `${title} · ${boot.product}`}</title>
      <Typography variant="h1" tabIndex={-1} sx={{ mb: 3 }}>
        {children}
      </Typography>
    </>
  );
}
