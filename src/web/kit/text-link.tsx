import { styled } from "@mui/material/styles";
import { Link } from "react-router";

/** Style of a link, also for a button among links. */
export const linkLook = {
  color: "var(--mui-palette-primary-ink)",
  textUnderlineOffset: "3px",
  textDecorationThickness: "1px",
  textDecorationColor: "color-mix(in srgb, currentColor 45%, transparent)",
  "&:hover": { textDecorationColor: "currentColor" },
  overflowWrap: "anywhere",
  // Gives one line of text a target of 24 px and more, without moving the lines apart.
  paddingBlock: "4px",
} as const;

/** Link to a page of the app. */
export const TextLink = styled(Link)(linkLook);

/** Link that loads a full page: the server's own addresses, files and other sites. */
export const PlainLink = styled("a")(linkLook);
