import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { send } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { killOnExit } from './cluster.ts';

/** A local port forwarded to a Service. */
export interface Forward {
  readonly port: number;
  close(): void;
}

/** Pause before a failed forward restarts, in ms. Its pod is gone and the next one may not be ready. */
const pauseMs = 200;

/**
 * Forwards a local port to a pod of a Service, and to another pod when that one is gone. Open connections break then,
 * as they would without the forward.
 */
export const openForward = async (namespace: string, service: string, servicePort: number): Promise<Forward> => {
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const closing = new AbortController();
  const keepForwarding = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const args = ['--namespace', namespace, 'port-forward', '--address=127.0.0.1'];
      const running = spawn('kubectl', [...args, `service/${service}`, `${port}:${servicePort}`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child = running;
      killOnExit(running);
      // Some versions of kubectl keep running after their pod is gone and break every connection.
      createInterface({ input: running.stderr }).on('line', (line) => {
        if (/error|lost connection/i.test(line)) running.kill();
      });
      await once(running, 'exit');
      await sleep(pauseMs);
    }
  };
  void keepForwarding();
  return {
    port,
    close: () => {
      closing.abort();
      child?.kill();
    },
  };
};

/** Resolves when the API responds through the forward. */
export const waitUntilReachable = async (url: string): Promise<void> => {
  const isReachable = (): Promise<boolean> =>
    send(url, '/readyz', { timeoutMs: 5_000 }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor(`${url} responds`, isReachable, { timeoutMs: 120_000, everyMs: 200 });
};
