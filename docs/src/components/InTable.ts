import { createContext } from 'react';

/** True inside of a table. */
export const InTable = createContext(false);
