import type { Stage } from '../plan/uploadFile.ts';
import { filesAt, type UploadPlan } from '../plan/uploadPlan.ts';

export const listNames = ['now', 'problems', 'done'] as const;
export type ListName = (typeof listNames)[number];

const stagesOf = {
  problems: ['refused', 'failed'],
  done: ['done', 'existing'],
} as const satisfies Record<string, readonly Stage[]>;

/** What is being sent or was hindered comes first; what waits follows in the order in which it will be taken. */
const upcoming: readonly Stage[] = ['missing', 'queued', 'hashing', 'hashed', 'checking', 'ready'];

/** The files of one list, by their places in the plan. */
export const listedFiles = (plan: UploadPlan, name: ListName): number[] => {
  if (name !== 'now') return stagesOf[name].flatMap((stage) => filesAt(plan, stage));
  const rest = upcoming.flatMap((stage) => filesAt(plan, stage)).toSorted((a, b) => a - b);
  return [...filesAt(plan, 'sending'), ...filesAt(plan, 'waiting'), ...rest];
};
