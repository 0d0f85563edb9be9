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

/** The tasks that need to be possible for these capabilities. */
export const tasksOf = (capabilities: readonly string[]): readonly TaskName[] =>
  (Object.keys(taskCapabilities) as TaskName[]).filter((task) => capabilities.includes(taskCapabilities[task]));

/** The capability of a worker that has exiftool. */
export const exiftoolCapability = 'run exiftool';

/**
 * The tools that a worker opens at its start if a component needs them, each with the capabilities that a worker lacks without it. Decoders
 * are not among them: they start when they are first needed.
 */
export const tools = {
  exiftool: [exiftoolCapability, ...photoFormats.raw.mimeTypes.map(decodeCapability)],
  places: [placesCapability],
  /** The models. With some of them a worker has some of the capabilities. */
  inference: Object.values(taskCapabilities),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Tool = keyof typeof tools;
