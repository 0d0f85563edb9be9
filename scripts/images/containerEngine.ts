import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The engine that has the images: its command line is that of docker and podman. */
export interface ContainerEngine {
  /** Runs a command and answers what it printed. @throws the error of a command that failed */
  run(...args: readonly string[]): Promise<string>;
}

/** The engine that `HEARTH_CONTAINER_ENGINE` names, such as `docker` or `sudo podman`; undefined where it names none. */
export const findContainerEngine = (): ContainerEngine | undefined => {
  const [program, ...first] = (process.env['HEARTH_CONTAINER_ENGINE'] ?? '').split(' ').filter((word) => word !== '');
  if (program === undefined) return undefined;
  return { run: async (...args) => (await promisify(execFile)(program, [...first, ...args])).stdout };
};

/** The tags of the images that are looked at, as `HEARTH_IMAGE_TAGS` has them by commas. */
export const imageTags = (): readonly string[] => (process.env['HEARTH_IMAGE_TAGS'] || 'dev').split(',');
