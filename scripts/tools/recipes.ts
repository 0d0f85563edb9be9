import type { ToolName } from '@hearth/testkit/run/tools.ts';
import { debianPackage, findPlainPostgres, findProgram, unpackedPackage } from './debianPackage.ts';
import { goProgram } from './goProgram.ts';
import type { Recipe } from './installTools.ts';
import { kubernetesSchemas } from './kubernetesSchemas.ts';
import { pgvectorPostgres } from './pgvectorPostgres.ts';
import { pythonProgram, pythonOnnxruntime, schemathesis, towncrier } from './pip.ts';
import { placesFile } from './placesFile.ts';

/** Recipes of all tools. Tools made here are pinned; system tools have the version of the system. */
export const recipes: Readonly<Record<ToolName, Recipe>> = {
  'redis-server': debianPackage('redis-server', findProgram('redis-server', 'valkey-server')),
  versitygw: goProgram({
    version: 'v1.8.0',
    program: 'versitygw',
    module: 'github.com/versity/versitygw',
    package: 'cmd/versitygw',
  }),
  // Its packages take 256 MB. The two extra ones contain programs that it needs.
  radosgw: debianPackage('radosgw ceph-mon ceph-osd', findProgram('radosgw')),
  'postgres-plain': debianPackage('postgresql', findPlainPostgres),
  'postgres-pgvector': pgvectorPostgres,
  pgbouncer: debianPackage('pgbouncer', findProgram('pgbouncer')),
  chromium: debianPackage('chromium', findProgram('chromium', 'chromium-browser')),
  nginx: debianPackage('nginx-light', findProgram('nginx')),
  bwrap: debianPackage('bubblewrap', findProgram('bwrap')),
  ffmpeg: debianPackage('ffmpeg', findProgram('ffmpeg')),
  vipsthumbnail: debianPackage('libvips-tools', findProgram('vipsthumbnail')),
  'heif-convert': debianPackage('libheif-examples', findProgram('heif-convert')),
  djxl: debianPackage('libjxl-tools', findProgram('djxl')),
  opj_decompress: debianPackage('libopenjp2-tools', findProgram('opj_decompress')),
  k6: goProgram({ version: 'v2.2.0', program: 'k6', module: 'go.k6.io/k6/v2' }),
  rclone: debianPackage('rclone', findProgram('rclone')),
  // The program reports v4.2 instead of v4.2.4, which only its own build script sets.
  helm: goProgram({
    version: 'v4.2.4',
    program: 'helm',
    module: 'helm.sh/helm/v4',
    package: 'cmd/helm',
  }),
  kubeconform: goProgram({
    version: 'v0.7.0',
    program: 'kubeconform',
    module: 'github.com/yannh/kubeconform',
    package: 'cmd/kubeconform',
  }),
  'kubernetes-schemas': kubernetesSchemas,
  'helm-docs': goProgram({
    version: 'v1.14.2',
    program: 'helm-docs',
    module: 'github.com/norwoodj/helm-docs',
    package: 'cmd/helm-docs',
  }),
  actionlint: goProgram({
    version: 'v1.7.12',
    program: 'actionlint',
    module: 'github.com/rhysd/actionlint',
    package: 'cmd/actionlint',
  }),
  zizmor: pythonProgram('zizmor', '1.32.0'),
  oasdiff: goProgram({
    version: 'v1.37.0',
    program: 'oasdiff',
    module: 'github.com/oasdiff/oasdiff',
  }),
  // Building it takes longer than all tests, which need nothing newer than the version in the oldest supported Debian.
  prometheus: unpackedPackage('prometheus', 'usr/bin'),
  'python-onnxruntime': pythonOnnxruntime,
  schemathesis,
  towncrier,
  places: placesFile,
};
