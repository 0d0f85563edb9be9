import { createContext } from 'react';

/** Whether something stands in a table. */
export const InTable = createContext(false);
