import { ApiError } from '../api/apiError.ts';

/** Classifies the error of an action for the message to the user. `gone`: an item no longer exists. */
export const classifyFailure = (error: unknown): 'unreachable' | 'gone' | 'other' => {
  if (!(error instanceof ApiError)) return 'other';
  if (error.code === 'UNREACHABLE' || error.code === 'UNAVAILABLE') return 'unreachable';
  return error.code === 'NOT_FOUND' ? 'gone' : 'other';
};
