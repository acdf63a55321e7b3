import { type ComponentType, lazy, type ReactNode, useState } from "react";

/**
 * A part of a page that is loaded when it is first drawn, or by `load` before that. One that is loaded is drawn at once,
 * without the fallback of Suspense, which stays a third of a second.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | null = null;
  const loadOnce = async () => ({ default: (loaded ??= await load()) });
  const Later = lazy(loadOnce) as unknown as ComponentType<P>;
  function Part(props: P): ReactNode {
    // The same for as long as it is drawn: another component would lose what was typed in it.
    const [Drawn] = useState(() => loaded ?? Later);
    return <Drawn {...props} />;
  }
  return Object.assign(Part, { load: loadOnce });
}
