/**
 * Program of a compromised decoder child. It obeys the first word of its input file, keeps every secret that it can read, and lists them in its
 * response.
 */
import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openChannelToParent } from '../processes/decoderChannel.ts';
import { answersByFirstWord } from './maliciousAnswers.ts';

const texts = new Set<string>();
const held: unknown[] = [];
const descriptors: number[] = [];
const channel = openChannelToParent(({ path }: { readonly path: string }) => {
  const text = readFileSync(path, 'utf8');
  texts.add(text);
  descriptors.push(openSync(path, 'r'), openSync(dirname(path), 'r'));
  const [act = ''] = text.split(' ');
  if (act === 'allocate') for (;;) held.push(Buffer.alloc(10e6, 1));
  if (act === 'start') {
    spawn('/bin/sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', 3], detached: true }).on('error', () => {});
    return;
  }
  if (act === 'flood') setImmediate(() => channel.send(answersByFirstWord['plausible']!));
  if (act === 'spin')
    setImmediate(() => {
      for (;;);
    });
  if (act === 'leak') setInterval(() => held.push(Buffer.alloc(50e6, 1)), 10);
  channel.send(
    answersByFirstWord[act] ?? {
      kind: 'failure',
      code: 'CORRUPT',
      text: '',
      detail: [...see(path)].join(),
    },
  );
});
channel.send({ kind: 'ready' });

/** Returns the secrets that the child can read: in its memory, its open files, its sandbox and other sandboxes. */
function see(path: string): Set<string> {
  const boxes = dirname(dirname(dirname(path)));
  const held = descriptors.map((fd) => join('/proc/self/fd', `${fd}`));
  const folders = [...held, dirname(path), boxes, ...list(boxes).map((box) => join(boxes, box, 'in'))];
  for (const file of [...held, ...folders.flatMap((each) => list(each).map((name) => join(each, name)))]) {
    const found = tryTo(() => readFileSync(file, 'utf8'));
    if (found?.startsWith('secret') === true) texts.add(found);
  }
  return texts;
}

const list = (folder: string): string[] => tryTo(() => readdirSync(folder)) ?? [];

function tryTo<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
