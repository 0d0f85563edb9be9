import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { findFreePort, reservePort } from './freePort.ts';

test('reserves a port for one process until it exits, and lets it listen on the port', async () => {
  const port = await findFreePort();
  assert.equal(await reservePort(port), false);
  assert.equal(reservedElsewhere(port), false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();

  const other = await findPortElsewhere();
  assert.equal(await reservePort(other), true);
});

test('does not reserve a port in use until its server closes', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  assert.equal(await reservePort(port), false);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await reservePort(port), true);
});

/** Evaluates an expression of the module in a process that exits right after. */
const evaluate = (expression: string): unknown => {
  const module = JSON.stringify(new URL('./freePort.ts', import.meta.url).href);
  const program = `import * as ports from ${module}; console.log(JSON.stringify(await ports.${expression}))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
};

const reservedElsewhere = (port: number): unknown => evaluate(`reservePort(${port})`);

const findPortElsewhere = async (): Promise<number> => Number(evaluate('findFreePort()'));
