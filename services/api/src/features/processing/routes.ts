import { maxRetriedItems } from '@hearth/contract/limits.ts';
import type { ProcessingGroup } from '@hearth/contract/processing.ts';
import { listRunGroups, type RunGroup, retryFailedRuns } from './queries.ts';
import type { Handlers } from '../../http/handle.ts';

const getProcessing: Handlers['getProcessing'] = async ({ db }, { user }) => {
  const groups = await listRunGroups(db, user.userId);
  return {
    status: 200,
    body: {
      waiting: groups.filter(({ state }) => state === 'PENDING').map(({ component, count }) => ({ component, count })),
      failed: groups.filter(({ state }) => state === 'FAILED').flatMap(presentGroup),
      blocked: groups.filter(({ state }) => state === 'BLOCKED').flatMap(presentGroup),
    },
  };
};

const presentGroup = ({ component, reason, count, examples }: RunGroup): ProcessingGroup[] =>
  reason === null ? [] : [{ component, reason, count, examples: [...examples] }];

const retryProcessing: Handlers['retryProcessing'] = async ({ db }, { user, body }) => ({
  status: 200,
  body: await retryFailedRuns(db, user.userId, body, maxRetriedItems),
});

export const processingHandlers = { getProcessing, retryProcessing } satisfies Partial<Handlers>;
