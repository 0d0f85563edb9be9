/** Handler for `import(…).catch(…)` of an optional module: returns undefined if it is missing. @throws all other errors */
export function ignoreMissingModule(error: unknown): undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || /native binding|node-av/i.test(message))
    return undefined;
  throw error;
}
