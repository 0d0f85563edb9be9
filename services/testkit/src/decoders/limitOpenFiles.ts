import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Makes opening files fail with EMFILE in a process and its current descendants, until disposed. */
export function limitOpenFiles(pid: number): Disposable {
  const limits = listWithDescendants(pid).map((member) => [member, readSoftLimit(member)] as const);
  for (const [member] of limits) setSoftLimit(member, '3');
  return {
    [Symbol.dispose]: () => {
      for (const [member, limit] of limits) setSoftLimit(member, limit);
    },
  };
}

const listWithDescendants = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => listWithDescendants(Number(child))))];
};

const readSoftLimit = (pid: number): string =>
  execFileSync('prlimit', ['--pid', `${pid}`, '--nofile', '--output', 'SOFT', '--noheadings'], {
    encoding: 'utf8',
  }).trim();

const setSoftLimit = (pid: number, limit: string): unknown =>
  execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${limit}:`]);
