import { decodeCapability, photoFormats } from '../media/formats/photoFormats.ts';
import { taskCapabilities } from './taskCapabilities.ts';
import { placesCapability } from '../places/placesData.ts';

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
