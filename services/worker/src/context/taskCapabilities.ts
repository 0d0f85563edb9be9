import type { TaskName } from '@hearth/inference/process/inferenceProtocol.ts';

/** For each task of the models, the capability of a worker that has all models of the task. */
export const taskCapabilities = {
  faces: 'find faces',
  labels: 'find things',
  glance: 'read text',
  text: 'read text',
  meaning: 'embed pictures',
  query: 'embed queries',
} as const satisfies Readonly<Record<TaskName, string>>;

/** The tasks that need to be possible for these capabilities. */
export const tasksOf = (capabilities: readonly string[]): readonly TaskName[] =>
  (Object.keys(taskCapabilities) as TaskName[]).filter((task) => capabilities.includes(taskCapabilities[task]));
