import { lazy, type LazyExoticComponent, type ReactNode } from 'react';

/** A code chunk failed to load: the server is unreachable or runs another version. Only a page reload can load it. */
export class CodeUnavailableError extends Error {}

/**
 * Awaits a code chunk. @throws CodeUnavailableError instead of the browser's error, which makes TanStack Router reload
 * the page. While the server is unreachable, a reload would end on the browser's own error page.
 */
export const loadCode = <T>(load: Promise<T>): Promise<T> =>
  load.catch((cause: unknown) => {
    throw new CodeUnavailableError('A part of the app could not be loaded.', { cause });
  });

/** Lazy component by export name. @throws CodeUnavailableError while rendering */
export const lazyComponent = <Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
): LazyExoticComponent<(props: Props) => ReactNode> => lazy(async () => ({ default: (await loadCode(load()))[name] }));
