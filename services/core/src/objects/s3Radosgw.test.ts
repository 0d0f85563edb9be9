import { after, suite } from 'node:test';
import { startTestRadosgw } from '../testing/radosgw.ts';
import { missingTool } from '../testing/tools.ts';
import { objectsSuite } from '../testing/objects/objectsSuite.ts';
import { lostUploadsCases } from '../testing/objects/lostUploadsCases.ts';
import { makeBucket } from '../testing/objects/testBucket.ts';

suite('on a radosgw', { skip: missingTool('radosgw') }, async () => {
  const server = await startTestRadosgw();
  after(() => server.stop());

  objectsSuite('the S3 store', () => makeBucket(server, { capacityBytes: 2 ** 50 }));
  lostUploadsCases(server);
});
