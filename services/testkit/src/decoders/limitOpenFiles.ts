import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Lets a process and its descendants open no further files until disposed: opening fails with EMFILE. */
export function limitOpenFiles(pid: number): Disposable {
  const limits = withDescendants(pid).map((each) => [each, readSoftLimit(each)] as const);
  for (const [each] of limits) setSoftLimit(each, '3');
  return {
    [Symbol.dispose]: () => {
      for (const [each, limit] of limits) setSoftLimit(each, limit);
    },
  };
}

const withDescendants = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => withDescendants(Number(child))))];
};

const readSoftLimit = (pid: number): string =>
  execFileSync('prlimit', ['--pid', `${pid}`, '--nofile', '--output', 'SOFT', '--noheadings'], {
    encoding: 'utf8',
  }).trim();

const setSoftLimit = (pid: number, limit: string): unknown =>
  execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${limit}:`]);
