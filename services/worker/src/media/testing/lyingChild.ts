/**
 * The program of a decoder child that a file has taken over. It does what the file says by its first word, keeps all that it comes to see, and tells of it in its
 * answer.
 */
import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openChannelToParent } from '../processes/decoderChannel.ts';
import { openPictures } from './lies.ts';

const texts = new Set<string>();
const held: unknown[] = [];
const descriptors: number[] = [];
const channel = openChannelToParent(({ path }: { readonly path: string }) => {
  const text = readFileSync(path, 'utf8');
  texts.add(text);
  descriptors.push(openSync(path, 'r'), openSync(dirname(path), 'r'));
  const [act = ''] = text.split(' ');
  if (act === 'swell') for (;;) held.push(Buffer.alloc(10e6, 1));
  if (act === 'start') {
    spawn('/bin/sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', 3], detached: true }).on('error', () => {});
    return;
  }
  if (act === 'chatter') setImmediate(() => channel.send(openPictures['plausible']!));
  if (act === 'dig')
    setImmediate(() => {
      for (;;);
    });
  if (act === 'hoard') setInterval(() => held.push(Buffer.alloc(50e6, 1)), 10);
  channel.send(
    openPictures[act] ?? {
      kind: 'failure',
      code: 'CORRUPT',
      text: '',
      detail: [...see(path)].join(),
    },
  );
});
channel.send({ kind: 'ready' });

/** What the child can see: its memory, its open files, its box and the boxes beside it. */
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
