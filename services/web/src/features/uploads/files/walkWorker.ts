import type { FileIdentity } from '../plan/uploadFile.ts';
import { walkHandle } from './walkFolders.ts';
import type { WalkResponse, WalkRequest } from './walkMessages.ts';

let walk: ReturnType<typeof walkHandle> | undefined;

self.addEventListener('message', ({ data: folder }: MessageEvent<WalkRequest>) => {
  walk ??= walkHandle(folder);
  // `reportError` fires an `error` event of this worker on the page.
  walk.next().then(({ value }) => respond(value?.map(toIdentity)), reportError);
});

const respond = (files: WalkResponse): void => self.postMessage(files);

const toIdentity = ({ path, sizeBytes, lastModified }: FileIdentity): FileIdentity => ({
  path,
  sizeBytes,
  lastModified,
});
