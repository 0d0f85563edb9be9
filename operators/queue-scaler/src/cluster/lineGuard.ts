import type { Dispatcher } from 'undici';

const newline = 0x0a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Most bytes of one line of a watch. */
const maxLineBytes = 64 * 1024 * 1024;

/**
 * Ends a watch in which a line is no object, or has no end: the library drops a line that is no JSON without a word, and with it the change that it
 * told of.
 */
export const guardLines: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, guarded(handler));

const guarded = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => {
  const look = lineReader();
  let isWatch = false;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart: (controller, status, headers, message) => {
      // What is refused, or packed by something in between, is not made of lines.
      isWatch = status === 200 && headers['content-encoding'] === undefined;
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => {
      const trouble = isWatch ? look(chunk) : undefined;
      if (trouble === undefined) handler.onResponseData?.(controller, chunk);
      else controller.abort(new Error(trouble));
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
};

/** Answers what is wrong with the lines that are complete with the next chunk, or with the one that is not yet. */
const lineReader = (): ((chunk: Buffer) => string | undefined) => {
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
      if (length > maxLineBytes) return 'the API server sends a line without end';
      if (found < 0) return undefined;
      if (length > 0 && !(isObject && last === closingBrace)) return 'the API server sends a line that is no object';
      length = 0;
      from = end + 1;
    }
    return undefined;
  };
};
