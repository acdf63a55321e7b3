/** Texts of the Admin page. */
export const adminWords = {
  title: "Admin",
  later: "Coming soon: companies, users, uploads, jobs, and the health of our services.",
  inbox: "Messages",
  loading: "Loading messages",
  none: "No messages yet",
  from: (name: string, email: string) => `${name} (${email})`,
  errors: {
    title: "Errors",
    loading: "Loading errors",
    none: "No errors in the last 30 days",
    count: (count: number) => (count === 1 ? "once" : `${count} times`),
    sources: { browser: "in a browser", server: "on the server" },
    between: (first: string, last: string) => (first === last ? last : `${first} to ${last}`),
    of: (user: string) => `last of ${user}`,
    stack: "Where it happened",
  },
  supportId: (id: string) => `Support ID ${id}`,
  topics: { upload: "Upload", tracking: "Tracking", labels: "Labels", billing: "Billing", other: "Other" },
} as const;
