import { ApiError } from '../api/apiError.ts';

/** What a person is told about a failed action: the server is away, the things are gone, or something else. */
export const failureOf = (error: unknown): 'unreachable' | 'gone' | 'other' => {
  if (!(error instanceof ApiError)) return 'other';
  if (error.code === 'UNREACHABLE' || error.code === 'UNAVAILABLE') return 'unreachable';
  return error.code === 'NOT_FOUND' ? 'gone' : 'other';
};
