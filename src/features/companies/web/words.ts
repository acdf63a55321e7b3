import { formatCount } from "#web/kit/format.ts";

/** Texts of Settings, of connecting and of disconnecting a company. */
export const companyWords = {
  settings: {
    title: (product: string) => `${product} App Settings`,
    documentTitle: "App Settings",
    connected: "Connected Companies",
    current: "Current company",
    none: "You have no companies connected.",
    add: "Add New Company",
    disconnect: (company: string) => `Disconnect ${company}`,
    nowConnected: (company: string) => `${company} is connected.`,
  },
  getApp: {
    title: "Connect a company",
    able: (product: string) => `${product} will be able to:`,
    abilities: [
      "read customers, items and invoices",
      "create invoices you upload, update tracking details",
      "attach proof-of-delivery documents",
    ],
    never: "It will never: move money, change payroll, delete invoices unless you undo their upload.",
    next: "You choose the company on the next page.",
    data: "What happens to my data?",
    errors: {
      refused: "QuickBooks told us that access was refused. Nothing was connected.",
      wrong_country:
        "This company keeps its books in a country we do not support yet. Connect a QuickBooks Online company of the United States.",
      other: "The company could not be connected. Please try again.",
    } as Readonly<Record<string, string>>,
    alreadyConnected: (company: string, admin: string) =>
      `${company} is already connected. Ask ${admin} to add you.`,
    asking: "Finding out whom to ask",
    someCompany: "This company",
    someAdmin: "its admin",
    errorTitle: "Not connected",
  },
  disconnect: {
    title: "Disconnect a company",
    question: (company: string) => `Disconnect ${company}?`,
    who: (user: string, email: string) => `You are signed in as ${user} (${email}).`,
    stopsTitle: "What stops",
    stops: [
      "Invoice upload: uploads that are not finished wait until the company is connected again.",
      "Tracking updates and proof-of-delivery attachment.",
      "Our access to the company's books; we revoke it at Intuit at once.",
    ],
    keepsTitle: "What is kept",
    keeps: [
      "Everything in QuickBooks, with the invoices created so far.",
      "The upload history here; it is back when you connect the company again.",
    ],
    button: (company: string) => `Disconnect ${company}`,
    keep: "Keep connected",
    adminOnly: (admin: string) => `Only the company admin can do this. Ask ${admin} to disconnect it.`,
    done: (company: string) => `${company} is disconnected`,
    revokedAt: (time: string) => `Access was revoked at ${time}.`,
    waiting: "Uploads that are not finished wait until the company is connected again.",
    waitingCount: (count: number) =>
      count === 0
        ? "No upload was unfinished."
        : count === 1
          ? "1 unfinished upload waits until the company is connected again."
          : `${formatCount(count)} unfinished uploads wait until the company is connected again.`,
    loading: "Looking at your connections",
    stillConnected: (company: string) =>
      `Here ${company} is still connected. If you have disconnected it in QuickBooks, disconnect it here too.`,
    atIntuit: (company: string) =>
      `You disconnected ${company} in QuickBooks. We have no access to its books any more.`,
    fromQuickBooks: "Disconnected in QuickBooks?",
    sentHere:
      "QuickBooks sends people here after they disconnect a company there. Signed in, you see which of your companies are still connected here.",
    none: "You have no companies connected.",
    unknown: "You are not a member of this company, or it is disconnected already.",
    reconnect: "Reconnect",
    settings: "Settings",
    errorTitle: "Not disconnected",
  },
} as const;
