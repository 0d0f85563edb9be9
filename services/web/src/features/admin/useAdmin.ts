import { createContext, use } from 'react';
import type { AdminClient } from './adminClient.ts';

/** The client of the administrator who is signed in on this page. */
export const AdminContext = createContext<AdminClient | undefined>(undefined);

/** @throws Error outside of the administrator's page. */
export const useAdmin = (): AdminClient => {
  const client = use(AdminContext);
  if (client === undefined) throw new Error('There is no administrator here.');
  return client;
};
