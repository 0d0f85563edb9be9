import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

/** A Go program and its module. */
export interface GoProgram {
  /** Version of the module, as the module proxy names it. */
  readonly version: string;
  readonly program: string;
  readonly module: string;
  /** Folder of the program within the module. The default is the module root. */
  readonly package?: string;
}

/**
 * Builds a program from the Go module proxy. The Go checksum database guarantees that everyone gets the same source.
 */
export const goProgram = ({ version, program, module, package: folder }: GoProgram): Recipe => ({
  kind: 'made',
  version,
  effort: 'built with Go, which takes a few minutes',
  path: program,
  make: async (directory) => {
    // Builds in a temporary module with this one requirement. `go install` rejects modules with `replace` directives
    // and also contacts the module's own host.
    const source = join(directory, 'source');
    const what = folder === undefined ? module : `${module}/${folder}`;
    await mkdir(source);
    await writeFile(join(source, 'go.mod'), `module hearth.test/tools\n\ngo 1.24\n\nrequire ${module} ${version}\n`);
    await runCommand(['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', join(directory, program), what], {
      directory: source,
      env: { CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=mod -buildvcs=false' },
    });
    await rm(source, { recursive: true });
  },
});
