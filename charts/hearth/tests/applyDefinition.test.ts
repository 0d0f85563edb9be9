import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, renderScenario } from './helm.ts';
import { runScript } from './runScript.ts';

/** Starts a server with a fixed response, and records its requests. */
const startServer = async (t: TestContext, status: number, response: object) => {
  const requests: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, res) => {
    void (async () => {
      requests.push({ request, body: await text(request) });
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(response));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

/** Runs the script with the ConfigMap files of the scenario that enables it. */
const run = async (t: TestContext, url: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-definition-'));
  t.after(() => rm(folder, { recursive: true }));
  const map = renderScenario('strict-quotas').find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'hearth-definition',
  );
  for (const [name, content] of Object.entries(map!.data!)) await writeFile(join(folder, name), content);
  await writeFile(join(folder, 'token'), 'the-token\n');
  return runScript(join(folder, 'applyDefinition.mts'), { KUBERNETES_URL: url, TOKEN_FILE: join(folder, 'token') });
};

suite('Job that updates the CRD', { skip: missingTool('helm') }, () => {
  test('applies the CRD of the chart', async (t) => {
    const { url, requests } = await startServer(t, 200, {});
    const [code, output] = await run(t, url);
    assert.equal(code, 0, output);
    assert.equal(requests.length, 1);
    const [{ request, body } = assert.fail()] = requests;
    assert.equal(request.method, 'PATCH');
    assert.match(
      request.url!,
      /^\/apis\/apiextensions\.k8s\.io\/v1\/customresourcedefinitions\/queuescalers\.scaling\.hearth\.photos\?/,
    );
    assert.equal(request.headers['content-type'], 'application/apply-patch+yaml');
    assert.equal(request.headers.authorization, 'Bearer the-token');
    assert.equal(body.trimEnd(), (await readFile(join(chart, 'crds/queueScalers.yaml'), 'utf8')).trimEnd());
  });

  test('fails with the message of the API server', async (t) => {
    const { url } = await startServer(t, 403, { message: 'it is forbidden' });
    const [code, output] = await run(t, url);
    assert.equal(code, 1);
    assert.match(output, /it is forbidden \(403\)/);
  });
});
