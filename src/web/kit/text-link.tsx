import { styled } from "@mui/material/styles";
import { Link } from "react-router";

/** Style of a link, and of a button among links. */
export const linkStyles = {
  color: "var(--mui-palette-primary-ink)",
  textUnderlineOffset: "3px",
  textDecorationThickness: "1px",
  textDecorationColor: "color-mix(in srgb, currentColor 45%, transparent)",
  "&:hover": { textDecorationColor: "currentColor" },
  overflowWrap: "anywhere",
  // Enlarges the target of one line of text to at least 24 px without changing the line spacing.
  paddingBlock: "4px",
} as const;

/** Link to a page of the app. */
export const TextLink = styled(Link)(linkStyles);

/** Link that loads a full page: the server's own addresses, files and other sites. */
export const PlainLink = styled("a")(linkStyles);

/** A button that looks like a link; plain, because Material UI's costs a slow computer more than the rest of a row. */
export const LinkButton = styled("button")({
  ...linkStyles,
  position: "relative",
  display: "inline-flex",
  alignItems: "center",
  minHeight: 44,
  paddingInline: 0,
  border: 0,
  font: "inherit",
  textAlign: "left",
  textDecorationLine: "underline",
  background: "none",
  cursor: "pointer",
});
