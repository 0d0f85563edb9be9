import type { QueryClient } from '@tanstack/react-query';
import { getSession, resumeSession } from '../../lib/api/session.ts';
import { gridQuery, sectionsQuery } from './queries.ts';

/**
 * Asks for the sections and for the one that is shown first, while the page is still being loaded and rendered. `search` is the query of the page's
 * address, whose `at` names a month. Never rejects: the page asks again, and shows what fails.
 */
export const prefetchTimeline = async (client: QueryClient, search: string): Promise<void> => {
  // Whoever has been here has sections, and the page keeps them fresh.
  if (client.getQueryState(sectionsQuery.queryKey) !== undefined) return;
  try {
    if (getSession().kind === 'unknown') await resumeSession();
    if (getSession().kind !== 'signedIn') return;
    const sections = await client.ensureQueryData(sectionsQuery);
    const month = new URLSearchParams(search).get('at');
    const shown = month === null ? sections[0] : sections.find(({ date }) => date.startsWith(month));
    if (shown !== undefined) await client.prefetchQuery(gridQuery(client, shown.date));
  } catch {
    // The page meets the same error.
  }
};
