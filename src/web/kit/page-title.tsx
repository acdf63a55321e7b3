import { boot } from "#web/kit/boot.ts";
import Typography from "@mui/material/Typography";

type Props = {
  children: string;
  documentTitle?: string;
  /** Without room below, for a head that goes on with a line of its own. */
  flush?: boolean;
};

/** The page's one `h1`, and the title of the document, which ends in the product's name. */
export function PageTitle({ children, documentTitle, flush = false }: Props) {
  const title = documentTitle ?? children;
  return (
    <>
      <title>{title.endsWith(boot.product) ? title : `${title} · ${boot.product}`}</title>
      <Typography variant="h1" tabIndex={-1} sx={{ m: 0, mb: flush ? 0 : 3 }}>
        {children}
      </Typography>
    </>
  );
}
