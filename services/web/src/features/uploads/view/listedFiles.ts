import { fileAt } from '../plan/fileList.ts';
import type { Stage } from '../plan/uploadFile.ts';
import type { UploadPlan } from '../plan/uploadPlan.ts';

export const listNames = ['now', 'problems', 'done'] as const;
export type ListName = (typeof listNames)[number];

/**
 * The files of each list, in groups that follow one another. What is being sent or was hindered comes first; what waits follows in the order in
 * which it will be taken.
 */
const groupsOf: Readonly<Record<ListName, readonly (readonly Stage[])[]>> = {
  now: [['sending'], ['waiting'], ['missing', 'queued', 'hashing', 'hashed', 'checking', 'ready']],
  problems: [['refused'], ['failed']],
  done: [['done'], ['existing']],
};

/** How many files a list has. */
export const countListed = (plan: UploadPlan, name: ListName): number =>
  groupsOf[name].reduce((sum, stages) => sum + countAt(plan, stages), 0);

/**
 * The files from one row of a list on and before another one, by their places in the plan. Only they are made: lists of many thousands, some times a
 * second, would fill the memory of the page faster than the browser empties it.
 */
export const listedFiles = (plan: UploadPlan, name: ListName, from: number, to: number): number[] => {
  const ids: number[] = [];
  let row = 0;
  for (const stages of groupsOf[name]) {
    const end = row + countAt(plan, stages);
    if (end <= from) {
      row = end;
      continue;
    }
    let id = Math.min(...stages.map((stage) => plan.lowest[stage]));
    for (; row < Math.min(end, to); id += 1) {
      const file = fileAt(plan.files, id);
      if (file === undefined) break;
      if (!stages.includes(file.stage)) continue;
      if (row >= from) ids.push(id);
      row += 1;
    }
  }
  return ids;
};

const countAt = (plan: UploadPlan, stages: readonly Stage[]): number =>
  stages.reduce((sum, stage) => sum + plan.tallies[stage].files, 0);
