/** FAILED: the models cannot process the picture, so a retry is useless. Other codes: the process ended. */
export type InferenceFailure = 'FAILED' | 'CRASHED' | 'TIMED_OUT' | 'OUT_OF_MEMORY';

/** A picture could not be processed. The message is a sentence. */
export class InferenceError extends Error {
  readonly code: InferenceFailure;

  constructor(code: InferenceFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InferenceError';
    this.code = code;
  }
}
