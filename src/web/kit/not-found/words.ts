/** Texts of the 404 page. */
export const notFoundWords = {
  code: "404",
  title: "Page Not Found",
  message: "This page could not be located.",
  typo: (path: string) => `Is there a typo in "${path}"?`,
  home: "Go to the home page",
} as const;
