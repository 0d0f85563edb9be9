import type { ToolName } from '@hearth/core/testing/tools.ts';
import { debianPackage, findPlainPostgres, findProgram } from './debianPackage.ts';
import { goProgram } from './goProgram.ts';
import type { Recipe } from './installTools.ts';
import { pgvectorPostgres } from './pgvectorPostgres.ts';
import { placesFile } from './placesFile.ts';

/** How each tool comes here. Those that are made here are pinned; those of the system are as old as the system is. */
export const recipes: Readonly<Record<ToolName, Recipe>> = {
  'redis-server': debianPackage('redis-server', findProgram('redis-server', 'valkey-server')),
  // RELEASE.2025-09-07T16-13-09Z, by the name under which the module proxy still has it. AGPL: a server for tests, and no part of Hearth.
  minio: goProgram({
    version: 'RELEASE.2025-09-07T16-13-09Z',
    program: 'minio',
    module: 'github.com/minio/minio',
    moduleVersion: 'v0.0.0-20250907161309-07c3a429bfed',
  }),
  'postgres-plain': debianPackage('postgresql', findPlainPostgres),
  'postgres-pgvector': pgvectorPostgres,
  pgbouncer: debianPackage('pgbouncer', findProgram('pgbouncer')),
  chromium: debianPackage('chromium', findProgram('chromium', 'chromium-browser')),
  nginx: debianPackage('nginx-light', findProgram('nginx')),
  ffmpeg: debianPackage('ffmpeg', findProgram('ffmpeg')),
  vipsthumbnail: debianPackage('libvips-tools', findProgram('vipsthumbnail')),
  'heif-convert': debianPackage('libheif-examples', findProgram('heif-convert')),
  djxl: debianPackage('libjxl-tools', findProgram('djxl')),
  opj_decompress: debianPackage('libopenjp2-tools', findProgram('opj_decompress')),
  k6: goProgram({ version: 'v2.2.0', program: 'k6', module: 'go.k6.io/k6/v2', moduleVersion: 'v2.2.0' }),
  places: placesFile,
};
