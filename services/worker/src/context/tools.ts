import { decodeCapability, photoFormats } from '../media/formats/photoFormats.ts';
import { placesCapability } from '../places/placesData.ts';
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

/** Returns the tasks required for these capabilities. */
export const getRequiredTasks = (capabilities: readonly string[]): readonly TaskName[] =>
  (Object.keys(taskCapabilities) as TaskName[]).filter((task) => capabilities.includes(taskCapabilities[task]));

export const exiftoolCapability = 'run exiftool';

/**
 * Tools that a worker opens at startup if a component needs them, each with the capabilities that are missing without it. Decoders are not listed:
 * they start on first use.
 */
export const tools = {
  exiftool: [exiftoolCapability, ...photoFormats.raw.mimeTypes.map(decodeCapability)],
  places: [placesCapability],
  /** Each missing model removes only the capability of its task. */
  inference: Object.values(taskCapabilities),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Tool = keyof typeof tools;
