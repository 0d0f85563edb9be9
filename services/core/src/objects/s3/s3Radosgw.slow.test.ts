import { after, suite } from 'node:test';
import { startTestRadosgw } from '@hearth/testkit/servers/radosgw.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { objectsSuite } from '@hearth/testkit/objects/objectsSuite.ts';
import { lostUploadsCases } from '@hearth/testkit/objects/lostUploadsCases.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';

suite('on a radosgw', { skip: missingTool('radosgw') }, async () => {
  const server = await startTestRadosgw();
  after(() => server.stop());

  objectsSuite('the S3 store', () => makeBucket(server, { capacityBytes: 2 ** 50 }));
  lostUploadsCases(server);
});
