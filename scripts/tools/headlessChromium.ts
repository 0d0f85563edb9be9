import { existsSync } from 'node:fs';
import { findProgram, installDebianPackage } from './debianPackage.ts';
import type { Recipe } from './installTools.ts';

/** Where Debian's package has the program; the one on the PATH is a shell script that outlives a signal badly: what it started stays. */
const program = '/usr/lib/chromium/chromium-headless-shell';

/**
 * The Chromium that only draws pages, which Playwright takes too where nobody looks at a window: the whole one starts three processes for each new
 * tab and draws its own bars beside the page, and takes more than twice the processor's time for a first visit. It serves where there is no other.
 */
export const headlessChromium: Recipe = {
  kind: 'system',
  find: () => (existsSync(program) ? program : undefined),
  install: (directory) =>
    installDebianPackage('chromium-headless-shell', directory).catch(() => installDebianPackage('chromium', directory)),
  findInstead: findProgram('chromium', 'chromium-browser'),
};
