import { callPage } from '../../api/client.ts';

/** The ids of everything that is in the trash now. @throws ApiError */
export const listTrashIds = async (signal: AbortSignal): Promise<readonly string[]> => {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await callPage('GET /v1/trash', { query: { limit: 200 }, next, signal });
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  } while (next !== undefined);
  return ids;
};
