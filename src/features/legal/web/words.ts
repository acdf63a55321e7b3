/** Section of a legal text; the table of contents links to its id. */
export type LegalSection = { id: string; title: string; text: readonly string[] };

/** UI text for the legal pages and the contact page. */
export const legalWords = {
  version: "Effective November 1, 2026",
  contents: "Contents",
  license: {
    title: "End-User License Agreement",
    sections: (product: string): readonly LegalSection[] => [
      {
        id: "parties",
        title: "Who agrees",
        text: [
          `This agreement is between you and the operator of this copy of ${product}. By signing in, you accept it.`,
        ],
      },
      {
        id: "use",
        title: "What you may do",
        text: [
          `You may use ${product} for the companies you are allowed to act for. Don't use it to break the law, to get at other people's data, or to disrupt the service.`,
        ],
      },
      {
        id: "responsibility",
        title: "What you're responsible for",
        text: [
          `You're responsible for what you upload. ${product} creates the invoices in your spreadsheets in QuickBooks Online and shows you the result of each row. Check the results before you rely on them.`,
        ],
      },
      {
        id: "price",
        title: "What it costs",
        text: [
          "Batch upload of invoices is free. Paid services show their price before you order them, and you can cancel them at any time.",
        ],
      },
      {
        id: "liability",
        title: "Liability",
        text: [
          "The service is provided as is. To the extent the law allows, the operator isn't liable for indirect damages.",
        ],
      },
      {
        id: "end",
        title: "How it ends",
        text: [
          "You may stop using the service at any time; disconnecting a company in Settings ends our access to its books.",
        ],
      },
    ],
  },
  privacy: {
    title: "Privacy Policy",
    /** Where pages are recorded by a vendor. */
    atLogRocket: {
      id: "recordings",
      title: "Recordings of pages",
      text: [
        "The pages you use while signed in are recorded by LogRocket, a vendor, to find out why something failed: how they look, where you click, and which calls they make. Texts, numbers, and what you type are left out before anything leaves your browser; your name and email are included. LogRocket sets its own cookies in your browser for this.",
      ],
    } satisfies LegalSection,
    sections: (product: string): readonly LegalSection[] => [
      {
        id: "kept",
        title: "What is kept",
        text: [
          `${product} keeps what it needs to work: your name and email from Intuit, the companies you connect, the spreadsheets you upload, and the result of each row.`,
          "A message you write on the contact page is kept with the name and email you give there.",
        ],
      },
      {
        id: "books",
        title: "Access to your books",
        text: [
          "Our access to QuickBooks Online is stored encrypted and used only to read customers, items, and invoices, to create the invoices you upload, to update tracking details, and to attach proof-of-delivery documents.",
        ],
      },
      {
        id: "shared",
        title: "Who receives it",
        text: [
          "Your data is never sold and never used for advertising. Vendors receive only what they need: Intuit receives the invoices, the carrier the shipments, and the payment provider the payment.",
        ],
      },
      {
        id: "browser",
        title: "In your browser",
        text: [
          "Your browser stores the ID of the company you chose, your choice of theme, and, until you close the tab, text you typed and a file you chose but didn't send. One cookie keeps you signed in.",
        ],
      },
      {
        id: "rights",
        title: "Seeing and deleting your data",
        text: [
          "Disconnecting a company revokes our access. Ask us through the contact page to see or delete your data.",
        ],
      },
    ],
  },
  contact: {
    title: "Contact",
    intro: "Tell us what you need. We'll reply by email within two business days.",
    name: "Name",
    email: "Email",
    topic: "Topic",
    topics: {
      upload: "Upload",
      tracking: "Tracking",
      labels: "Labels",
      billing: "Billing",
      other: "Other",
    },
    message: "Message",
    supportId: "Support ID (if an error showed one)",
    send: "Send",
    errorTitle: "Not sent",
    thanks: "Thank you. We'll reply within two business days.",
    another: "Send another message",
  },
} as const;
