import type { QueryClient } from '@tanstack/react-query';
import { getSession, resumeSession } from '../../lib/api/session.ts';
import { gridQuery, sectionsQuery } from './queries.ts';

/**
 * Requests the list of sections and the items of the first visible one while the page's code loads. `search`: query
 * string of the URL, with the month in `at`. Never rejects: the page repeats failed requests and shows the error.
 */
export const prefetchTimeline = async (client: QueryClient, search: string): Promise<void> => {
  // The sections were loaded before, and the page keeps them fresh.
  if (client.getQueryState(sectionsQuery.queryKey) !== undefined) return;
  try {
    if (getSession().kind === 'unknown') await resumeSession();
    if (getSession().kind !== 'signedIn') return;
    const sections = await client.ensureQueryData(sectionsQuery);
    const month = new URLSearchParams(search).get('at');
    const shown = month === null ? sections[0] : sections.find(({ date }) => date.startsWith(month));
    if (shown !== undefined) await client.prefetchQuery(gridQuery(client, shown.date));
  } catch {
    // The page repeats the request.
  }
};
