import { useSyncExternalStore } from 'react';
import { getSession, subscribeToSession, type SessionState } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, getSession);
