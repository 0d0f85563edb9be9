import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { findFreePort, reservePort } from './freePort.ts';

test('a port is given to one process, for as long as that lives, and a server may listen on it', async () => {
  const port = await findFreePort();
  assert.equal(await reservePort(port), false);
  assert.equal(reservedElsewhere(port), false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();

  const other = await findPortElsewhere();
  assert.equal(await reservePort(other), true);
});

test('a port on which something listens is given to nobody, and to whoever asks afterwards', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  assert.equal(await reservePort(port), false);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await reservePort(port), true);
});

/** What a process that ends at once gets for an expression. */
const evaluate = (expression: string): unknown => {
  const module = JSON.stringify(new URL('./freePort.ts', import.meta.url).href);
  const program = `import * as ports from ${module}; console.log(JSON.stringify(await ports.${expression}))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
};

const reservedElsewhere = (port: number): unknown => evaluate(`reservePort(${port})`);

const findPortElsewhere = async (): Promise<number> => Number(evaluate('findFreePort()'));
