import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

/** A program in Go, by its module. */
export interface GoProgram {
  /** How the project calls the version. */
  readonly version: string;
  readonly program: string;
  readonly module: string;
  /** The folder of the module that holds the program; the module itself unless given. */
  readonly package?: string;
  /** How the module proxy calls it. */
  readonly moduleVersion: string;
}

/** Builds a program out of the Go module proxy, whose checksum database proves that everybody gets the same source. */
export const goProgram = ({ version, program, module, package: folder, moduleVersion }: GoProgram): Recipe => ({
  kind: 'made',
  version,
  effort: 'built with Go, which takes a few minutes',
  path: program,
  make: async (directory) => {
    // In a module of ours that requires just this one: `go install` refuses modules that replace others, and asks the address of a module
    // besides the proxy.
    const source = join(directory, 'source');
    const what = folder === undefined ? module : `${module}/${folder}`;
    await mkdir(source);
    await writeFile(
      join(source, 'go.mod'),
      `module hearth.test/tools\n\ngo 1.24\n\nrequire ${module} ${moduleVersion}\n`,
    );
    await runCommand(['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', join(directory, program), what], {
      directory: source,
      env: { CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=mod -buildvcs=false' },
    });
    await rm(source, { recursive: true });
  },
});
