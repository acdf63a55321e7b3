/** Texts around signing in and out. */
export const identityWords = {
  failed: {
    title: "Sign-in did not complete",
    reasons: {
      refused: "Intuit told us that access was refused.",
      expired: "The sign-in took too long or its link was used before. Please start again.",
      cookies:
        "Your browser did not keep our cookie, or you began to sign in in another tab. Allow cookies for this site and try again.",
      unavailable: "Intuit did not answer. Please try again in a few minutes.",
      unverified: "Your e-mail at Intuit is not verified. Verify it there, then try again.",
      other: "Something unexpected happened between Intuit and us. Please try again.",
    } as Readonly<Record<string, string>>,
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
