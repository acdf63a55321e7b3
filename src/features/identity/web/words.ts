/** UI text for signing in and out. */
export const identityWords = {
  failed: {
    title: "Sign-in did not complete",
    reasons: {
      refused: "Intuit says you didn't allow access.",
      expired: "That sign-in link expired. Please sign in again.",
      cookies:
        "Your browser blocked our cookie, or you finished signing in on another tab. Allow cookies for this site, then try again.",
      unavailable: "Intuit isn't responding. Please try again in a few minutes.",
      unverified: "Your email at Intuit isn't verified. Verify it there, then try again.",
      not_an_email:
        "We can't use your email at Intuit, because it has unusual characters. Change it there, then try again.",
      blocked: "Your access was blocked. Contact us if you think this is a mistake.",
      other: "Something went wrong between Intuit and us. Please try again.",
    } as Readonly<Record<string, string>>,
    verify: "Verify my email at Intuit",
    home: "Home",
    contact: "Contact",
  },
  signOut: {
    title: "Sign out?",
    text: "Another site sent you here. Sign out only if you want to.",
    button: "Sign out",
    stay: "Stay signed in",
  },
} as const;
