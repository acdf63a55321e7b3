import { kitWords } from "#web/kit/words.ts";
import { styled } from "@mui/material/styles";

const REST = "/images/sign-in.svg";
const ACTIVE = "/images/sign-in-hover.svg";

// Both images are in the page from the start, so the change on hover does not flicker.
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

/** Address of the sign-in, coming back to `next` (a path of this site with its query) when given. */
export function signInAddress(next?: string): string {
  return next === undefined ? "/login/" : `/login/?next=${encodeURIComponent(next)}`;
}

/** The sign-in button: an image that changes on hover and on keyboard focus. */
export function SignInButton({ next }: { next?: string }) {
  return (
    <Anchor href={signInAddress(next)} aria-label={kitWords.signIn}>
      <img src={REST} alt="" width={196} height={44} />
      <img src={ACTIVE} alt="" width={196} height={44} />
    </Anchor>
  );
}
