import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describeResponse, send } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import type { LargeFile } from './largeFile.ts';

/** State of an upload on the server. */
export interface UploadState {
  readonly offset: number;
  /** Id of the item that the finished upload has become. */
  readonly mediaItemId: string | undefined;
}

/** A client for resumable uploads. Each call names its server. */
export interface TusClient {
  /** Creates an upload and returns its path. */
  create(url: string, file: LargeFile): Promise<string>;
  /**
   * Polls the state until the server responds. The server may be down, or may still hold the lock of a broken
   * connection.
   */
  getState(url: string, path: string): Promise<UploadState>;
  /**
   * Sends the file from `offset`. After `stopAt` bytes of the file it calls `stop`, which must break the connection,
   * and returns undefined. Otherwise returns the server's state.
   */
  send(url: string, path: string, file: LargeFile, options: SendOptions): Promise<UploadState | undefined>;
}

/** The part of the file to send, and how the connection is broken at its end. */
export interface SendOptions {
  readonly offset: number;
  readonly stopAt: number;
  readonly stop: (cut: () => void) => void;
}

/** Time without a response after which a server counts as gone, in ms. */
const timeoutMs = 60_000;

export const openTusClient = (token: string): TusClient => {
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' };
  return {
    create: async (url, { sizeBytes }) => {
      const metadata = `filename ${Buffer.from('large.jpg').toString('base64')}`;
      const uploadHeaders = { ...headers, 'Upload-Length': String(sizeBytes), 'Upload-Metadata': metadata };
      const response = await send(url, '/v1/uploads', { method: 'POST', headers: uploadHeaders });
      if (response.status !== 201) throw new Error(describeResponse('the upload', response));
      return response.headers.get('Location')!;
    },

    getState: (url, path) => {
      const getState = async (): Promise<UploadState | false> => {
        const response = await send(url, path, { method: 'HEAD', headers }).catch(() => undefined);
        return response?.status === 200 && readUploadState(response.headers);
      };
      return waitFor('the state of the upload', getState, { timeoutMs, everyMs: 200 });
    },

    send: async (url, path, { sizeBytes, read }, { offset, stopAt, stop }) => {
      const patch = request(new URL(path, url), {
        method: 'PATCH',
        headers: {
          ...headers,
          'Content-Type': 'application/offset+octet-stream',
          'Content-Length': sizeBytes - offset,
          'Upload-Offset': offset,
        },
      });
      let isBroken = false;
      const pendingResponse = once(patch, 'response') as Promise<[IncomingMessage]>;
      // Unlike `once`, this does not reject on an error.
      const closed = new Promise<void>((resolve) => patch.on('close', resolve));
      pendingResponse.catch(() => undefined);
      patch.on('error', () => {
        isBroken = true;
      });
      let sent = offset;
      for (const chunk of read(offset)) {
        if (isBroken) return undefined;
        sent += chunk.length;
        if (!patch.write(chunk)) await Promise.race([once(patch, 'drain').catch(() => undefined), closed]);
        if (sent < stopAt) continue;
        stop(() => patch.destroy());
        await closed;
        return undefined;
      }
      patch.end();
      const [response] = await pendingResponse;
      response.resume();
      if (response.statusCode !== 204) throw new Error(`the last request returned ${response.statusCode}`);
      return readUploadState(
        new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
      );
    },
  };
};

const readUploadState = (headers: Headers): UploadState => ({
  offset: Number(headers.get('Upload-Offset')),
  mediaItemId: headers.get('Hearth-Media-Item-Id') ?? undefined,
});
