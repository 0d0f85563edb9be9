import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes, type ErrorCode } from '@hearth/contract/errors.ts';
import { AppError, NotFoundError, UnavailableError } from './errors.ts';

test('uses the message of the error code by default, and keeps cause, fields and retry delay', () => {
  const plain = new AppError('NOT_IN_TRASH');
  assert.equal(plain.message, errorCodes.NOT_IN_TRASH.message);
  assert.equal(plain.status, errorCodes.NOT_IN_TRASH.status);
  assert.deepEqual([plain.retryAfterSeconds, plain.cause], [undefined, undefined]);

  const cause = new Error('because');
  const errors = [{ path: 'body.name', message: 'is too long' }];
  const full = new AppError('VALIDATION_FAILED', 'the name is too long', { cause, errors, retryAfterSeconds: 7 });
  assert.equal(full.message, 'the name is too long');
  assert.equal(full.status, 400);
  assert.deepEqual([full.errors, full.retryAfterSeconds, full.cause], [errors, 7, cause]);
});

test('lists invalid fields for status 400 only', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const { status, message, errors } = new AppError(code);
    if (status === 400)
      assert.deepEqual(
        errors?.map((each) => each.message),
        [message],
        code,
      );
    else assert.equal(errors, undefined, code);
  }
  assert.deepEqual(new AppError('NOT_MEDIA', 'the file is empty').errors, [
    { path: 'file', message: 'the file is empty' },
  ]);
});

test('names the missing resource, and gives a retry delay for an unavailable back end', () => {
  const missing = new NotFoundError('media item');
  assert.deepEqual([missing.status, missing.code, missing.message], [404, 'NOT_FOUND', 'media item not found']);
  const cause = new Error('ECONNREFUSED');
  const unavailable = new UnavailableError('the database', cause);
  assert.deepEqual(
    [unavailable.status, unavailable.message, unavailable.retryAfterSeconds],
    [503, 'the database is not reachable', 5],
  );
  assert.equal(unavailable.cause, cause);
  assert(missing instanceof AppError && unavailable instanceof AppError);
});
