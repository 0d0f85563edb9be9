import type { ContainerEngine } from './containerEngine.ts';
import { ffmpegLabel, type Image } from './images.ts';

/** Properties of an image according to the engine. */
export interface MeasuredImage {
  /** Size of all layers in MB (10^6 bytes). */
  readonly megabytes: number;
  readonly architecture: string;
  readonly hasFfmpeg: boolean;
  /** User of the image's processes. */
  readonly user: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns undefined if the engine does not have the image. */
export const inspectImage = async (engine: ContainerEngine, name: string): Promise<MeasuredImage | undefined> => {
  const text = await engine.run('image', 'inspect', name).catch(() => undefined);
  if (text === undefined) return undefined;
  const [{ Size, Architecture, Config }] = JSON.parse(text) as [Inspected];
  const labels = Config.Labels ?? {};
  return {
    megabytes: Size / 1e6,
    architecture: Architecture,
    hasFfmpeg: labels[ffmpegLabel] === 'with',
    user: Config.User,
    labels,
  };
};

interface Inspected {
  readonly Size: number;
  readonly Architecture: string;
  readonly Config: { readonly User: string; readonly Labels?: Readonly<Record<string, string>> };
}

/** Returns the size of each part of an image in MB, in the order of its list. */
export const measureParts = async (engine: ContainerEngine, name: string, { parts }: Image): Promise<number[]> => {
  const command = parts
    .map(({ files }) => `du --summarize --total --apparent-size --block-size=1 ${files} | tail -n 1`)
    .join(' && ');
  const text = await engine.run('run', '--rm', '--network', 'none', '--entrypoint', '/bin/sh', name, '-c', command);
  return [...text.matchAll(/^(\d+)\ttotal$/gm)].map(([, bytes]) => Number(bytes) / 1e6);
};

export const getMaxMegabytes = (
  { maxMegabytes, maxMegabytesWithFfmpeg }: Image,
  { hasFfmpeg }: MeasuredImage,
): number => (hasFfmpeg && maxMegabytesWithFfmpeg !== undefined ? maxMegabytesWithFfmpeg : maxMegabytes);
