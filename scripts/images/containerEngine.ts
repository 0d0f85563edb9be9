import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The container engine with the images. It has the command line of docker and podman. */
export interface ContainerEngine {
  /** Runs a command and returns its output. @throws the error of a failed command */
  run(...args: readonly string[]): Promise<string>;
}

/**
 * Returns the engine of `HEARTH_CONTAINER_ENGINE`, such as `docker` or `sudo podman`, or undefined if it is not set.
 */
export const findContainerEngine = (): ContainerEngine | undefined => {
  const [program, ...first] = (process.env['HEARTH_CONTAINER_ENGINE'] ?? '').split(' ').filter((word) => word !== '');
  if (program === undefined) return undefined;
  return { run: async (...args) => (await promisify(execFile)(program, [...first, ...args])).stdout };
};

/** Returns the image tags of `HEARTH_IMAGE_TAGS`, separated by commas. The default is `dev`. */
export const imageTags = (): readonly string[] => (process.env['HEARTH_IMAGE_TAGS'] || 'dev').split(',');
