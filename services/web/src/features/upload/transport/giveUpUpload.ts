import { authorizedFetch } from '../../../api/session.ts';

/** Has the server remove what it has received of a file that nobody wants to upload any more. Left undone, that happens after a week. */
export const giveUpUpload = async (url: string): Promise<void> => {
  await authorizedFetch(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } }).catch(() => undefined);
};
