const heading = (fontSize: string) => ({
  fontSize,
  fontWeight: 800,
  lineHeight: 1.25,
  letterSpacing: "-0.012em",
});
const quietHeading = (fontSize: string) => ({ fontSize, fontStyle: "italic", fontWeight: 400 });

/** How each level of heading looks, as it is specified. */
export const headings = {
  h1: heading("2rem"),
  h2: heading("1.8rem"),
  h3: heading("1.6rem"),
  h4: heading("1.4rem"),
  h5: quietHeading("1.2rem"),
  h6: quietHeading("1rem"),
};
