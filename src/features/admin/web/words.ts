/** Texts of the Admin page. */
export const adminWords = {
  title: "Admin",
  later: "Coming soon: companies, users, uploads, jobs, and the health of our services.",
  inbox: "Messages",
  loading: "Loading messages",
  none: "No messages yet",
  from: (name: string, email: string) => `${name} (${email})`,
  supportId: (id: string) => `Support ID ${id}`,
  topics: { upload: "Upload", tracking: "Tracking", labels: "Labels", billing: "Billing", other: "Other" },
} as const;
