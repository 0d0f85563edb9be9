import { openVideo, readOnly } from '../video/openVideo.ts';
import { readPackets } from '../video/readPackets.ts';
import { openStreamDecoder } from '../video/streamDecoder.ts';

/** Unreadable packets after which all others count as unreadable: about a second. */
const maxPackets = 50;

/** Whether a stream's sound can be decoded: its track has to be announced before the first picture is written. */
export async function hasReadableSound(path: string, index: number, maxPixels: number): Promise<boolean> {
  await using video = await openVideo(path, maxPixels);
  const sound = video.input.streams[index];
  if (sound === undefined) return false;
  readOnly(video, [sound]);
  const decoder = await openStreamDecoder(sound, { maxPixels: 0 }).catch(() => undefined);
  if (decoder === undefined) return false;
  using _ = decoder;
  let packets = 0;
  for await (const packet of readPackets(video.input)) {
    if (packet.streamIndex !== index) continue;
    for await (const frame of decoder.decode(packet)) {
      frame.free();
      return true;
    }
    packets += 1;
    if (packets === maxPackets) return false;
  }
  return false;
}
