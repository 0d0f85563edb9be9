import type { Dispatcher } from 'undici';

const newline = 0x0a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Maximum size of a line of a watch, in bytes. */
const maxLineBytes = 64 * 1024 * 1024;

/** Aborts a watch with a line that is too long or not a JSON object. The library would ignore such a line, and the change in it would be lost. */
export const guardLines: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, guarded(handler));

const guarded = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => {
  const checkChunk = lineChecker();
  let isWatch = false;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart: (controller, status, headers, message) => {
      // An error response, or one that a proxy has compressed, does not consist of lines.
      isWatch = status === 200 && headers['content-encoding'] === undefined;
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => {
      const problem = isWatch ? checkChunk(chunk) : undefined;
      if (problem === undefined) handler.onResponseData?.(controller, chunk);
      else controller.abort(new Error(problem));
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
};

/** Checks the lines of a stream chunk by chunk; returns a description of the first problem. */
const lineChecker = (): ((chunk: Buffer) => string | undefined) => {
  let length = 0;
  let isObject = true;
  let last = closingBrace;
  return (chunk) => {
    for (let from = 0; from < chunk.length;) {
      const found = chunk.indexOf(newline, from);
      const end = found < 0 ? chunk.length : found;
      if (end > from) {
        if (length === 0) isObject = chunk[from] === openingBrace;
        length += end - from;
        last = chunk[end - 1] ?? last;
      }
      if (length > maxLineBytes) return 'the API server sent a watch event of more than 64 MiB';
      if (found < 0) return undefined;
      if (length > 0 && !(isObject && last === closingBrace))
        return 'the API server sent a watch event that is not a JSON object';
      length = 0;
      from = end + 1;
    }
    return undefined;
  };
};
