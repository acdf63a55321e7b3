/** Texts of the card about support's access to files. */
export const supportWords = {
  title: "Support access",
  note: "Support can open your files only while access is listed here. It ends after 24 hours.",
  show: "Show grants",
  hide: "Hide grants",
  loading: "Loading grants",
  none: "Support has no access to your files.",
  until: (from: string, to: string) => `${from} to ${to}`,
  end: "End access",
  ended: "Support's access has ended",
} as const;
