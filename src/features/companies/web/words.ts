import { counted } from "#web/kit/format.ts";

/** Texts of Settings, of connecting and of disconnecting a company. */
export const companyWords = {
  settings: {
    title: (product: string) => `${product} App Settings`,
    documentTitle: "App Settings",
    connected: "Connected Companies",
    current: "Current company",
    none: "You have no companies connected.",
    connectFirst: "Connecting takes about a minute. You can disconnect at any time.",
    add: "Add New Company",
    disconnect: (company: string) => `Disconnect ${company}`,
    admin: (who: string) => `Company admin: ${who}`,
    you: "you",
    nobody: "not set",
    reconnect: "Reconnect",
  },
  services: {
    title: "Current Services",
    loading: "Loading services",
    upload: { name: "Invoice Upload", text: "Post invoices from a spreadsheet or the web form" },
    tracking: { name: "Tracking Service", text: "Tracking and proof of delivery on your invoices" },
    free: "Free",
    active: "Active",
  },
  getApp: {
    title: "Connect a company",
    able: (product: string) => `${product} will be able to:`,
    abilities: [
      "read customers, items, and invoices",
      "create the invoices you upload and update their tracking details",
      "attach proof-of-delivery documents",
    ],
    never: "It will never move money or touch payroll. It deletes invoices only if you undo an upload.",
    next: "You choose the company on the next page.",
    data: "What happens to my data?",
    errors: {
      refused: "You didn't allow access in QuickBooks, so nothing was connected.",
      wrong_country:
        "This company's country isn't supported yet. Connect a QuickBooks Online company in the United States.",
      other: "We couldn't connect the company. Please try again.",
    } as Readonly<Record<string, string>>,
    alreadyConnected: (company: string, admin: string) =>
      `${company} is already connected. Ask ${admin} to add you.`,
    asking: "Checking who can help",
    someCompany: "This company",
    someAdmin: "its admin",
    errorTitle: "Not connected",
  },
  disconnect: {
    title: "Disconnect a company",
    question: (company: string) => `Disconnect ${company}?`,
    who: (user: string, email: string) => `You're signed in as ${user} (${email}).`,
    stopsTitle: "What stops",
    stops: [
      "Invoice upload: unfinished uploads wait until you reconnect.",
      "Tracking updates and proof-of-delivery attachment.",
      "Our access to the company's books, which ends at Intuit right away.",
    ],
    keepsTitle: "What stays",
    keeps: [
      "Everything in QuickBooks, including the invoices posted so far.",
      "Your upload history. It's back as soon as you reconnect.",
    ],
    button: (company: string) => `Disconnect ${company}`,
    keep: "Keep connected",
    adminOnly: (admin: string) => `Only the company admin can do this. Ask ${admin} to disconnect it.`,
    done: (company: string) => `${company} is disconnected`,
    revokedAt: (time: string) => `Access ended ${time}.`,
    waiting: "Unfinished uploads wait until you reconnect.",
    waitingCount: (count: number) =>
      `${counted(count, "unfinished upload")} ${count === 1 ? "waits" : "wait"} until you reconnect.`,
    loading: "Checking your connections",
    stillConnected: (company: string) =>
      `${company} is still connected here. If you disconnected it in QuickBooks, disconnect it here too.`,
    atIntuit: (company: string) =>
      `You disconnected ${company} in QuickBooks. We no longer have access to its books.`,
    fromQuickBooks: "Disconnected in QuickBooks?",
    sentHere:
      "QuickBooks sends you here after you disconnect a company there. Sign in to see which of your companies are still connected here.",
    none: "You have no companies connected.",
    unknown: "You aren't a member of this company, or it's already disconnected.",
    reconnect: "Reconnect",
    settings: "Settings",
    errorTitle: "Not disconnected",
  },
} as const;
