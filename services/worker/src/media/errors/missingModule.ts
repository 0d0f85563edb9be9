/** For `import(…).catch(…)` of an optional module: answers undefined where it is missing. @throws every other error */
export function ignoreMissingModule(error: unknown): undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || /native binding|node-av/i.test(message))
    return undefined;
  throw error;
}
