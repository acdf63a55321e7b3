/** Texts of the shared parts. */
export const kitWords = {
  errorTitle: "Error!",
  signInRequired: "You must sign in with Intuit to access the app.",
  signIn: "Sign in with Intuit",
  tryAgain: "Try again",
  support: {
    label: "Support id",
    copy: "Copy",
    copied: "Support id copied",
    selected: "The browser does not allow copying here. The support id is selected: copy it by keyboard.",
    contact: "Contact us",
  },
  loadingAccount: "Loading your account",
  loadingPage: "Loading page",
  pageLate: "The page did not arrive in time. Check your connection.",
  nowWorkingIn: (company: string) => `Now working in ${company}`,
  companies: {
    find: "Find a company",
    list: "Companies",
    found: (count: number) =>
      count === 0 ? "No company of this name." : count === 1 ? "1 company" : `${count} companies`,
  },
  download: (type: string) => `Download ${type}`,
  print: "Print",
  tabRefused: "The browser did not let the document open in a new tab. Allow this site to open tabs.",
  connect: "Connect to QuickBooks",
  reconnect: {
    title: "Connection lost",
    text: (company: string) =>
      `QuickBooks no longer accepts our connection to ${company}. Uploads wait until it is connected again.`,
    link: "Connect again",
  },
  fallback: {
    title: "Sorry, something went wrong.",
    text: "We were not able to load this page. This error has been reported to our development team. Please try again in a few minutes.",
    reload: "Reload",
  },
  notStarted: {
    title: "This page has not started.",
    text: "Its program did not arrive. Check your connection, then reload.",
    noScript: "This page needs JavaScript.",
  },
} as const;
