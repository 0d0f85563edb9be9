import type { routes } from '@hearth/contract/routes.ts';
import type { Handler } from './handle.ts';

/** One handler for each route of the contract, by `operationId`: a missing one does not compile. */
export type Handlers = { readonly [Name in keyof typeof routes]: Handler<(typeof routes)[Name]> };
