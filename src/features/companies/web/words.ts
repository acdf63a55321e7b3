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
    never: "It will never: move money, change payroll, delete invoices.",
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
    someCompany: "This company",
    someAdmin: "its admin",
    errorTitle: "Not connected",
  },
  disconnect: {
    title: "Disconnect a company",
    text: "This page is not finished yet. Disconnecting here will stop invoice upload, tracking updates and proof-of-delivery attachment, and keep your invoices in QuickBooks and the upload history.",
    meanwhile:
      "Until then you can disconnect in QuickBooks: open Apps, then My apps, choose this app, and select Disconnect.",
    settings: "Back to Settings",
  },
} as const;
