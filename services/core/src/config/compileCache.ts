// oxlint-disable-next-line node/no-process-env -- it configures Node, not Hearth
const folder = process.env['NODE_COMPILE_CACHE'];

/**
 * The environment variable with Node's compile cache folder, for child processes that inherit no other variables. Empty
 * if the variable is not set. The cache halves the CPU time of startup. See
 * https://nodejs.org/api/module.html#module-compile-cache.
 */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined || folder === '' ? {} : { NODE_COMPILE_CACHE: folder };
