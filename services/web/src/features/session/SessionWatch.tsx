import { useLiveEvents } from '../../api/useLiveEvents.ts';

/** Keeps the live stream open on every page, since its end tells within seconds that the session was ended elsewhere. */
export const SessionWatch = () => {
  useLiveEvents(() => undefined);
  return null;
};
