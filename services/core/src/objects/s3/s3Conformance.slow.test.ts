import { after, suite } from 'node:test';
import { startTestRadosgw } from '@hearth/testkit/servers/radosgw.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { objectsSuite } from '@hearth/testkit/objects/objectsSuite.ts';
import { lostUploadsCases } from '@hearth/testkit/objects/lostUploadsCases.ts';
import { resourceCases } from '@hearth/testkit/objects/resourceCases.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';

for (const [tool, start] of [
  ['versitygw', startTestS3],
  ['radosgw', startTestRadosgw],
] as const)
  suite(`on ${tool}`, { skip: missingTool(tool) }, async () => {
    const server = await start();
    after(() => server.stop());
    const makeStore = () => makeBucket(server, { capacityBytes: 2 ** 50 });

    objectsSuite('the S3 store', makeStore);
    resourceCases(makeStore);
    lostUploadsCases(server);
  });
