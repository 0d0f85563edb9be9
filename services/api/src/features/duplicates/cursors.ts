import { z } from 'zod';
import { cursorsOf } from '../../lists/listPage.ts';
import { Id } from '../../lists/positions.ts';
import type { GroupPosition, MemberPosition } from './queries.ts';

/** The cursors of groups of duplicates, and of the items of one group. */
export const duplicateCursors = {
  waiting: cursorsOf<GroupPosition>('duplicates', z.strictObject({ id: Id })),
  reviewed: cursorsOf<GroupPosition>('reviewed duplicates', z.strictObject({ id: Id })),
  items: cursorsOf<MemberPosition>('items of duplicates', z.strictObject({ score: z.int().min(0), id: Id })),
} as const;
