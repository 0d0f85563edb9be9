import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { CursorQuery } from './query.ts';

/** A day of the year, in four digits. */
const MonthDate = z
  .string()
  .regex(/^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, 'must be a month and a day in four digits')
  .refine(isDayOfSomeYear, 'must be a valid day')
  .meta({ description: 'Month and day, with two digits each.', example: '0403' });

export const listYearsAgo = defineRoute({
  operationId: 'listYearsAgo',
  method: 'get',
  path: '/v1/yearsAgo/{monthDate}/mediaItems',
  summary: 'List media items of a day in earlier years',
  description:
    'Newest first, without hidden items and items in the trash. `0229` includes 28 February of years without a leap day.',
  tag: 'library',
  auth: 'bearer',
  params: z.object({ monthDate: MonthDate }),
  query: CursorQuery,
  example: { params: { monthDate: '0621' } },
  responses: mediaItemPage,
  errors: [...inputErrors, 'UNAUTHORIZED', ...serverErrors],
});

function isDayOfSomeYear(monthDate: string): boolean {
  const [month, day] = [Number(monthDate.slice(0, 2)), Number(monthDate.slice(2))];
  const date = new Date(Date.UTC(2024, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
