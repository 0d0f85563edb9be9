/** Program of a compromised decoder child: it attacks the given targets, and responds with the attempts that succeeded. */
import { spawnSync } from 'node:child_process';
import { connect, type NetConnectOpts } from 'node:net';
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { openChannelToParent } from '../processes/decoderChannel.ts';

/** Targets of a compromised decoder. */
export interface AttackTargets {
  /** Pid of a process of the same user with `marker` in its environment and its arguments. */
  readonly pid: number;
  readonly marker: string;
  /** Files to try to read. */
  readonly readable: readonly string[];
  /** Folders to try to write to. */
  readonly writable: readonly string[];
  /** Path of the decoder's input file in the sandbox. */
  readonly original: string;
  readonly addresses: readonly { readonly name: string; readonly to: NetConnectOpts }[];
}

const channel = openChannelToParent(
  (targets: AttackTargets) => void attack(targets).then((results) => channel.send(results)),
);

async function attack(targets: AttackTargets): Promise<string[]> {
  const results: string[] = [];
  const attempt = async (name: string, action: () => unknown): Promise<void> => {
    try {
      if ((await action()) !== false) results.push(name);
    } catch {
      // The attempt was denied.
    }
  };
  const containsMarker = (path: string): boolean => readFileSync(path, 'latin1').includes(targets.marker);
  await attempt('environment', () =>
    processes().some((pid) => tryAction(() => containsMarker(`/proc/${pid}/environ`))),
  );
  await attempt(
    'memory',
    () => readFileSync(`/proc/${targets.pid}/maps`).length > 0 && containsMarker(`/proc/${targets.pid}/environ`),
  );
  await attempt('processes', () => processes().some((pid) => tryAction(() => containsMarker(`/proc/${pid}/cmdline`))));
  await attempt('signal', () => process.kill(targets.pid, 'SIGUSR2'));
  for (const path of targets.readable) await attempt(`read ${path}`, () => readFileSync(path));
  for (const path of targets.writable) await attempt(`write ${path}`, () => writeFileSync(`${path}/taken-over`, 'x'));
  // `core_pattern` names a program that the kernel runs outside of the sandbox; root could change it.
  await attempt('settings of the kernel', () => settings.some((path) => tryAction(() => isWritable(path))));
  await attempt('change original', () => appendFileSync(targets.original, 'x'));
  await attempt('start a process', () => spawnSync(process.execPath, ['-v'], { stdio: 'ignore' }).error === undefined);
  for (const address of targets.addresses) await attempt(`connect ${address.name}`, () => connectTo(address.to));
  return results;
}

const settings = ['/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj'];

function isWritable(path: string): boolean {
  closeSync(openSync(path, 'r+'));
  return true;
}

const processes = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

function tryAction(action: () => boolean): boolean {
  try {
    return action();
  } catch {
    return false;
  }
}

const connectTo = (to: AttackTargets['addresses'][number]['to']): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(to, () => resolve(true));
    socket.on('error', () => resolve(false));
  });
