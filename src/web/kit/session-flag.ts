/** Something remembered until the tab is closed; blocked storage leaves it to the page. */
export function sessionFlag(key: string) {
  return {
    get(): boolean {
      try {
        return window.sessionStorage.getItem(key) === "1";
      } catch {
        return false;
      }
    },
    set(): void {
      try {
        window.sessionStorage.setItem(key, "1");
      } catch {
        // Nothing is remembered; the caller keeps its own state.
      }
    },
  };
}
