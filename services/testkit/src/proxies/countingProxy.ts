import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A proxy that counts the bytes of a server's responses. */
export interface CountingProxy {
  readonly endpoint: string;
  /** Returns the number of bytes received from the server. */
  passed(): number;
  /** Returns true while the most recent client accepts no more bytes. */
  isBlocked(): boolean;
}

/** Starts a proxy in front of a server on a local port. It ends with the test. */
export const startCountingProxy = async (t: TestContext, port: number): Promise<CountingProxy> => {
  let passed = 0;
  let client: Socket | undefined;
  const server = createServer((near) => {
    client = near;
    t.after(() => near.destroy());
    const far = connect(port, '127.0.0.1');
    near.pipe(far).on('error', () => near.destroy());
    far
      .on('data', (chunk) => (passed += chunk.length))
      .pipe(near)
      .on('error', () => far.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    isBlocked: () => client?.writableNeedDrain === true,
  };
};
