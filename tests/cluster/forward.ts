import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { send } from '@hearth/testkit/hearth/request.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';
import { endWithThisProcess } from './cluster.ts';

/** A port of 127.0.0.1 that leads to a Service. */
export interface Forward {
  readonly port: number;
  close(): void;
}

/** Milliseconds until a forward that has ended begins again: its pod is gone, and the next one not there yet. */
const pauseMs = 200;

/** Leads a port to one pod of a Service, and to another one whenever that is gone. Connections through it break then, as they would on the way to the pod. */
export const forwardTo = async (namespace: string, service: string, servicePort: number): Promise<Forward> => {
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
      endWithThisProcess(running);
      // Some versions of kubectl go on although their pod is gone, and then break every connection.
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

/** Resolves when the API answers through a forward. */
export const untilAnswered = async (url: string): Promise<void> => {
  const isThere = (): Promise<boolean> =>
    send(url, '/readyz', { timeoutMs: 5_000 }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(`${url} answers`, isThere, { patienceMs: 120_000, everyMs: 200 });
};
