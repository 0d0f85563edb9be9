import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  customKinds,
  schemaName,
  makeSchemaOfCustomKind,
  schemasFolder,
  type CustomDefinition,
} from './customKinds.ts';

// npm run docs:schemas: generates the schemas of custom kinds for the chart's manifest tests from Go modules. The Go
// checksum database guarantees that everyone gets the same modules.

/** Returns the folder of a Go module in the module cache. Downloads the module if necessary. */
const moduleFolder = (module: string, version: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));
  writeFileSync(join(folder, 'go.mod'), 'module hearth.test/schemas\n\ngo 1.24\n');
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' },
  });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`${module}@${version}: ${stderr}${stdout}`);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
};

rmSync(schemasFolder, { recursive: true, force: true });
mkdirSync(schemasFolder);
for (const { kind, apiVersion, module, version, path } of customKinds) {
  const definition = parse(readFileSync(join(moduleFolder(module, version), path), 'utf8')) as CustomDefinition;
  writeFileSync(
    join(schemasFolder, schemaName(apiVersion, kind)),
    `${makeSchemaOfCustomKind(definition, apiVersion)}\n`,
  );
}
