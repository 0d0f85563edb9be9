import assert from 'node:assert/strict';
import type { ErrorBody, ErrorCode } from '@hearth/contract/errors.ts';
import { describeResponse, type HttpResponse } from '@hearth/testkit/hearth/request.ts';

/** Returns the response. @throws with the response if it has another status */
export const expectStatus = async (
  pendingResponse: Promise<HttpResponse>,
  status: number,
  what: string,
): Promise<HttpResponse> => {
  const response = await pendingResponse;
  assert.equal(response.status, status, describeResponse(what, response));
  return response;
};

/** Returns the error response. @throws with the response if it has another status or code */
export const expectError = async (
  pendingResponse: Promise<HttpResponse>,
  status: number,
  code: ErrorCode,
  what: string,
): Promise<HttpResponse> => {
  const response = await expectStatus(pendingResponse, status, what);
  const body = JSON.parse(response.text) as ErrorBody;
  assert.equal(body.code, code, describeResponse(what, response));
  assert.ok(body.requestId, `the error for ${what} has no request id`);
  return response;
};

/** Returns the bytes of the file. @throws if it has another type or is empty */
export const expectFile = async (pendingFile: Promise<Response>, type: RegExp, what: string): Promise<Buffer> => {
  const response = await pendingFile;
  assert.equal(response.status, 200, `${what} returned ${response.status}`);
  assert.match(response.headers.get('content-type') ?? '', type, what);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(bytes.length > 0, `${what} is empty`);
  return bytes;
};
