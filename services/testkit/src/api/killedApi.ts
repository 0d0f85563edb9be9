import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openDiskSpace } from '@hearth/core/disk/diskSpace.ts';
import { createLog } from '@hearth/core/log/log.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { openDeps } from '@hearth/api/deps/openDeps.ts';
import type { ApiConfig } from '@hearth/api/config/config.ts';
import { createApiServer } from '@hearth/api/server/app.ts';

/*
 * Program that runs the API and prints its port. First argument: the configuration as JSON. Second argument: n, from 1.
 * The program kills itself with SIGKILL just before the nth call of its object store, not counting calls of `link`.
 */

const [, , json = '', killAt = ''] = process.argv;

const wrapWithKill = (objects: ObjectStore): ObjectStore => {
  let calls = 0;
  return new Proxy(objects, {
    get: (target, name: keyof ObjectStore) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name === 'link') return value;
      return (...callArgs: unknown[]): unknown => {
        calls += 1;
        if (calls === Number(killAt)) process.kill(process.pid, 'SIGKILL');
        return (value as (...args: unknown[]) => unknown).apply(target, callArgs);
      };
    },
  });
};

const log = createLog('api', 'silent');
const deps = await openDeps(JSON.parse(json) as ApiConfig, log, openDiskSpace({ folders: [], reserveBytes: 0, log }));
deps.state.isMigrated = true;
deps.state.isStoreChecked = true;
const server = createApiServer({ ...deps, objects: wrapWithKill(deps.objects) }, { onStopped: async () => undefined });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
