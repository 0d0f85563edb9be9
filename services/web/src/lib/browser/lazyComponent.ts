import { lazy, type LazyExoticComponent, type ReactNode } from 'react';

/** A part of the app could not be loaded: the server is away, or serves another version by now. Only a new page asks for it again. */
export class CodeUnavailableError extends Error {}

/**
 * Waits for a part of the app. @throws CodeUnavailableError with what the browser says as its cause: of the browser's own error TanStack's router
 * reloads the page at once, and while the server is away the browser has only its own error page to show then.
 */
export const loadCode = <T>(load: Promise<T>): Promise<T> =>
  load.catch((cause: unknown) => {
    throw new CodeUnavailableError('A part of the app could not be loaded.', { cause });
  });

/** A component by its name in a file whose code is loaded when it is shown first. @throws CodeUnavailableError while it is shown */
export const lazyComponent = <Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
): LazyExoticComponent<(props: Props) => ReactNode> => lazy(async () => ({ default: (await loadCode(load()))[name] }));
