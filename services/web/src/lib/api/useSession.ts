import { useSyncExternalStore } from 'react';
import { getSession, subscribeToSession, type SessionState } from './session.ts';

/** Who is signed in; the component is rendered again when that changes. */
export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, getSession);
