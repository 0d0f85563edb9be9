import { lazy, type LazyExoticComponent, type ReactNode } from 'react';
import { loadCode } from './loadCode.ts';

/** A component by its name in a file whose code is loaded when it is shown first. @throws CodeUnavailableError while it is shown */
export const lazyComponent = <Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
): LazyExoticComponent<(props: Props) => ReactNode> => lazy(async () => ({ default: (await loadCode(load()))[name] }));
