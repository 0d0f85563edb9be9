import assert from 'node:assert/strict';
import type { ErrorBody, ErrorCode } from '@hearth/contract/errors.ts';
import { describeAnswer, type Answer } from '@hearth/testkit/hearth/request.ts';

/** Returns the response. @throws with the response if it has another status */
export const expectStatus = async (answering: Promise<Answer>, status: number, what: string): Promise<Answer> => {
  const answer = await answering;
  assert.equal(answer.status, status, describeAnswer(what, answer));
  return answer;
};

/** Returns the error response. @throws with the response if it has another status or code */
export const expectError = async (
  answering: Promise<Answer>,
  status: number,
  code: ErrorCode,
  what: string,
): Promise<Answer> => {
  const answer = await expectStatus(answering, status, what);
  const body = JSON.parse(answer.text) as ErrorBody;
  assert.equal(body.code, code, describeAnswer(what, answer));
  assert.ok(body.requestId, `${what} is refused without a request's id`);
  return answer;
};

/** Returns the bytes of the file. @throws if it has another type or is empty */
export const expectFile = async (opening: Promise<Response>, type: RegExp, what: string): Promise<Buffer> => {
  const response = await opening;
  assert.equal(response.status, 200, `${what} answers ${response.status}`);
  assert.match(response.headers.get('content-type') ?? '', type, what);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(bytes.length > 0, `${what} is empty`);
  return bytes;
};
