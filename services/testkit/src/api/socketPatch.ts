import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { checkResponse, type RawResponse } from './responseChecker.ts';
import { openSocket, readResponses } from './rawExchange.ts';
import { tus, uploadType } from './uploads.ts';

/** A request that resumes an upload. The test sends each part of the body. */
export interface SocketPatch {
  readonly socket: Socket;
  /** Resolves when the bytes are sent. */
  send(bytes: Buffer): Promise<void>;
  /** Returns the response after the server has closed the connection. Fails if it is missing or violates the contract. */
  readResponse(): Promise<RawResponse>;
}

/** Sends the headers of a PATCH on a new connection. */
export const startSocketPatch = async (
  { port, token }: { readonly port: number; readonly token: string },
  id: string,
  { offset, length, ...more }: { offset: number; length: number; 'upload-checksum'?: string },
): Promise<SocketPatch> => {
  const socket = await openSocket(port);
  const responses = readResponses(socket);
  const headers = {
    host: 'x',
    connection: 'close',
    authorization: `Bearer ${token}`,
    'content-type': uploadType,
    'content-length': length,
    'upload-offset': offset,
    ...tus,
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PATCH /v1/uploads/${id} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    socket,
    send: async (bytes) => {
      if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    },
    readResponse: async () => {
      const [response] = await responses;
      assert.ok(response, 'the connection was closed without a response');
      checkResponse('continueUpload', response);
      return response;
    },
  };
};
