/** Texts of the Admin page. */
export const adminWords = {
  title: "Admin",
  later:
    "Companies, users, uploads, jobs and the health of the services will stand here too; they are not built yet.",
  inbox: "Messages",
  loading: "Loading messages",
  none: "No messages yet.",
  from: (name: string, email: string) => `${name} (${email})`,
  supportId: (id: string) => `Support id ${id}`,
  topics: { upload: "Upload", tracking: "Tracking", labels: "Labels", billing: "Billing", other: "Other" },
} as const;
