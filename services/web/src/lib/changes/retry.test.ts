import { expect, it } from 'vitest';
import { ApiError } from '../api/apiError.ts';
import { retry } from './retry.ts';

const unavailable = new ApiError({ status: 503, code: 'UNAVAILABLE', message: '' });
const gone = new ApiError({ status: 404, code: 'NOT_FOUND', message: '' });

/** Fails with these errors in turn, then succeeds. Counts the attempts. */
const failWith = (...errors: readonly ApiError[]) => {
  const attempts = { count: 0 };
  const attempt = (): Promise<void> => {
    const error = errors[attempts.count];
    attempts.count += 1;
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  return { attempt, attempts };
};

it('retries after temporary errors', async () => {
  const { attempt, attempts } = failWith(unavailable, unavailable);
  await retry(attempt, 0);
  expect(attempts.count).toBe(3);
});

it('gives up after three attempts', async () => {
  const { attempt, attempts } = failWith(unavailable, unavailable, unavailable, unavailable);
  await expect(retry(attempt, 0)).rejects.toBe(unavailable);
  expect(attempts.count).toBe(3);
});

it('does not retry after a permanent error', async () => {
  const { attempt, attempts } = failWith(gone);
  await expect(retry(attempt, 0)).rejects.toBe(gone);
  expect(attempts.count).toBe(1);
});
