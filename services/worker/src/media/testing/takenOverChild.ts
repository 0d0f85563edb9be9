/** The program of a decoder child that a file has taken over: it tries what it is told, and says what it has got. */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { openChannelToParent } from '../processes/decoderChannel.ts';
import type { Prey } from './takenOver.ts';

const channel = openChannelToParent((prey: Prey) => void attack(prey).then((got) => channel.send(got)));

async function attack(prey: Prey): Promise<string[]> {
  const got: string[] = [];
  const attempt = async (name: string, act: () => unknown): Promise<void> => {
    try {
      if ((await act()) !== false) got.push(name);
    } catch {
      // The attempt was refused.
    }
  };
  const holdsMarker = (path: string): boolean => readFileSync(path, 'latin1').includes(prey.marker);
  await attempt('environment', () => processes().some((pid) => tryTo(() => holdsMarker(`/proc/${pid}/environ`))));
  await attempt(
    'memory',
    () => readFileSync(`/proc/${prey.pid}/maps`).length > 0 && holdsMarker(`/proc/${prey.pid}/environ`),
  );
  await attempt('processes', () => processes().some((pid) => tryTo(() => holdsMarker(`/proc/${pid}/cmdline`))));
  await attempt('signal', () => process.kill(prey.pid, 'SIGUSR2'));
  for (const path of prey.readable) await attempt(`read ${path}`, () => readFileSync(path));
  for (const path of prey.writable) await attempt(`write ${path}`, () => writeFileSync(`${path}/taken-over`, 'x'));
  // Of root's there, `kernel/core_pattern` names a program that the kernel runs outside.
  await attempt('settings of the kernel', () => settings.some((path) => tryTo(() => isWritable(path))));
  await attempt('change original', () => appendFileSync(prey.original, 'x'));
  await attempt('start a process', () => spawnSync(process.execPath, ['-v'], { stdio: 'ignore' }).error === undefined);
  for (const address of prey.addresses) await attempt(`connect ${address.name}`, () => reach(address.to));
  return got;
}

const settings = ['/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj'];

function isWritable(path: string): boolean {
  closeSync(openSync(path, 'r+'));
  return true;
}

const processes = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

function tryTo(act: () => boolean): boolean {
  try {
    return act();
  } catch {
    return false;
  }
}

const reach = (to: Prey['addresses'][number]['to']): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(to, () => resolve(true));
    socket.on('error', () => resolve(false));
  });
