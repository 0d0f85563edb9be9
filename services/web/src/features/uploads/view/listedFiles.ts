import { fileAt } from '../plan/fileList.ts';
import type { Stage } from '../plan/uploadFile.ts';
import type { UploadPlan } from '../plan/uploadPlan.ts';

export const listNames = ['now', 'problems', 'done'] as const;
export type ListName = (typeof listNames)[number];

/** Stages of each list, in groups. Files being sent or delayed come first; pending ones follow in upload order. */
const stageGroups: Readonly<Record<ListName, readonly (readonly Stage[])[]>> = {
  now: [['sending'], ['waiting'], ['missing', 'queued', 'hashing', 'hashed', 'checking', 'ready']],
  problems: [['refused'], ['failed']],
  done: [['done'], ['existing']],
};

export const countListed = (plan: UploadPlan, name: ListName): number =>
  stageGroups[name].reduce((sum, stages) => sum + countAt(plan, stages), 0);

/**
 * Returns the ids of the files in rows `from` to before `to` of a list. Creating whole lists of many thousands several
 * times per second would exhaust the memory of the page.
 */
export const listFiles = (plan: UploadPlan, name: ListName, from: number, to: number): number[] => {
  const ids: number[] = [];
  let row = 0;
  for (const stages of stageGroups[name]) {
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
