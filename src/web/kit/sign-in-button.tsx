import { kitWords } from "#web/kit/words.ts";
import { styled } from "@mui/material/styles";

const REST = "/images/sign-in.svg";
const ACTIVE = "/images/sign-in-hover.svg";

// Both images are in the page from the start, so that hovering does not flicker.
const Anchor = styled("a")({
  display: "inline-grid",
  // Otherwise the line box leaves space below it.
  verticalAlign: "top",
  borderRadius: 6,
  lineHeight: 0,
  color: "inherit",
  "& img": { gridArea: "1 / 1", width: 196, height: 44, maxWidth: "100%" },
  [`& img[src='${ACTIVE}']`]: { visibility: "hidden" },
  [`&:hover img[src='${ACTIVE}'], &:focus-visible img[src='${ACTIVE}']`]: { visibility: "visible" },
  [`&:hover img[src='${REST}'], &:focus-visible img[src='${REST}']`]: { visibility: "hidden" },
});

/** Sign-in address that returns to `next` (a path of this site with its query) if given. */
export function signInAddress(next?: string): string {
  return next === undefined ? "/login/" : `/login/?next=${encodeURIComponent(next)}`;
}

/** Sign-in button: an image that changes on hover and on keyboard focus. */
export function SignInButton({ next }: { next?: string }) {
  return (
    <Anchor href={signInAddress(next)} aria-label={kitWords.signIn}>
      <img src={REST} alt="" width={196} height={44} />
      <img src={ACTIVE} alt="" width={196} height={44} />
    </Anchor>
  );
}
