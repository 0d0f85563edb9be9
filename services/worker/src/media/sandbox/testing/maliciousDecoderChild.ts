/**
 * Program of a compromised decoder child. It obeys the first word of its input file, keeps every secret that it can read, and lists them in its
 * response.
 */
import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openChannelToParent } from '../processes/decoderChannel.ts';
import { responsesByFirstWord } from './maliciousResponses.ts';

const texts = new Set<string>();
const held: unknown[] = [];
const descriptors: number[] = [];
const channel = openChannelToParent(({ path }: { readonly path: string }) => {
  const text = readFileSync(path, 'utf8');
  texts.add(text);
  descriptors.push(openSync(path, 'r'), openSync(dirname(path), 'r'));
  const [action = ''] = text.split(' ');
  if (action === 'allocate') for (;;) held.push(Buffer.alloc(10e6, 1));
  if (action === 'start') {
    spawn('/bin/sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', 3], detached: true }).on('error', () => {});
    return;
  }
  if (action === 'flood') setImmediate(() => channel.send(responsesByFirstWord['plausible']!));
  if (action === 'spin')
    setImmediate(() => {
      for (;;);
    });
  if (action === 'leak') setInterval(() => held.push(Buffer.alloc(50e6, 1)), 10);
  channel.send(
    responsesByFirstWord[action] ?? {
      kind: 'failure',
      code: 'CORRUPT',
      text: '',
      detail: [...inspect(path)].join(),
    },
  );
});
channel.send({ kind: 'ready' });

/** Returns the secrets that the child can read: in its memory, its open files, its sandbox and other sandboxes. */
function inspect(path: string): Set<string> {
  const sandboxes = dirname(dirname(dirname(path)));
  const held = descriptors.map((fd) => join('/proc/self/fd', `${fd}`));
  const folders = [
    ...held,
    dirname(path),
    sandboxes,
    ...list(sandboxes).map((sandbox) => join(sandboxes, sandbox, 'in')),
  ];
  for (const file of [...held, ...folders.flatMap((each) => list(each).map((name) => join(each, name)))]) {
    const found = tryAction(() => readFileSync(file, 'utf8'));
    if (found?.startsWith('secret') === true) texts.add(found);
  }
  return texts;
}

const list = (folder: string): string[] => tryAction(() => readdirSync(folder)) ?? [];

function tryAction<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
