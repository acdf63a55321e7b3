import { styled } from "@mui/material/styles";
import { Link } from "react-router";

/** Style of a link, and of a button among links. */
export const linkLook = {
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
export const TextLink = styled(Link)(linkLook);

/** Link that loads a full page: the server's own addresses, files and other sites. */
export const PlainLink = styled("a")(linkLook);
