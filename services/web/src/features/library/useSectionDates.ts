import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { useQuery } from '@tanstack/react-query';
import { sectionsQuery } from './queries.ts';

const none: readonly string[] = [];

/** The sections of the timeline, the last one first; none until they are loaded. */
export const useSectionDates = (): readonly string[] => useQuery({ ...sectionsQuery, select: datesOf }).data ?? none;

/** The same function each time, so that thousands of sections are not walked through whenever the page is rendered. */
const datesOf = (sections: readonly TimelineCount[]): readonly string[] => sections.map(({ date }) => date);
