import { open } from 'node:fs/promises';
import { isMp4Truncated } from './isMp4Truncated.ts';
import { isMpegTsTruncated } from './isMpegTsTruncated.ts';
import { lengthRules } from './statedEnd.ts';

/** Whether a video's file is shorter than its container states; false where the container states nothing. */
export async function isTruncated(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  await file.read(head, 0, head.length, 0);
  const rule = lengthRules.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (rule !== undefined) return ((await rule.findEnd(file, size)) ?? 0) > size;
  return (await isMpegTsTruncated(file, size)) || (await isMp4Truncated(file, size));
}
