/** Texts about support's access to files. */
export const supportWords = {
  row: {
    name: "support",
    title: "Support access",
    note: "Who in support can open your files",
    loading: "Loading support access",
  },
  state: (until: string | null) => (until === null ? "None" : `Until ${until}`),
  rule: "Support can open your files only while access is listed here. It ends after 24 hours.",
  none: "Support has no access to your files.",
  until: (from: string, to: string) => `${from} to ${to}`,
  end: "End now",
  ended: "Support's access has ended",
} as const;
