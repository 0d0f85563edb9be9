import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Files that one process runs: what they import is loaded and compiled once, which is half of what a file of the API takes. */
const filesPerProcess = 8;

/**
 * Files in groups that one process each can run: files of one package, in the order given, and each for which `isAlone` holds by itself.
 * A group stands where its first file stood.
 */
export const groupFiles = (files: readonly string[], isAlone: (file: string) => boolean): string[][] => {
  const groups: string[][] = [];
  const unfilled = new Map<string, string[]>();
  for (const file of files) {
    const group = isAlone(file) ? undefined : unfilled.get(packageOf(file));
    if (group === undefined) {
      const begun = [file];
      groups.push(begun);
      if (!isAlone(file)) unfilled.set(packageOf(file), begun);
    } else {
      group.push(file);
      if (group.length === filesPerProcess) unfilled.delete(packageOf(file));
    }
  }
  return groups;
};

/** The folder of two names that a file lies in, as `services/api`. */
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/**
 * Writes the program that runs the files of a group one after another, each as a suite of its own within a test: tests begin one after another, so that
 * the hooks of a file have run before the next is loaded, and those of a suite once all of it is loaded, as where a file has a process of its own.
 * A file may take as long as it likes, and each of its tests as long as the run allows.
 * @returns its path
 */
export const writeGroup = async (directory: string, name: string, files: readonly string[]): Promise<string> => {
  const path = join(directory, `${name}.mjs`);
  const lines = files.map(
    (file) => `run(${JSON.stringify(file)}, ${JSON.stringify(pathToFileURL(resolve(file)).href)});`,
  );
  await writeFile(path, [head, ...lines, ''].join('\n'));
  return path;
};

/** Milliseconds, as many as a timer can count: Node takes the limit of a test for that of all, unless told otherwise. */
const unlimitedMs = 2 ** 31 - 1;

const head = `import { suite, test } from 'node:test';

const options = { timeout: ${unlimitedMs} };
const run = (file, url) => test(file, options, () => suite(file, options, () => import(url)));
`;
