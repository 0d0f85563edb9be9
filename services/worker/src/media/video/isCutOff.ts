import { open } from 'node:fs/promises';
import { endsInBox } from './endsInBox.ts';
import { endsInPacket } from './endsInPacket.ts';
import { lengthRules } from './statedEnd.ts';

/** Whether a video ends before it should by what its container says of itself; false where that says nothing. */
export async function isCutOff(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  await file.read(head, 0, head.length, 0);
  const rule = lengthRules.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (rule !== undefined) return ((await rule.findEnd(file, size)) ?? 0) > size;
  return (await endsInPacket(file, size)) || (await endsInBox(file, size));
}
