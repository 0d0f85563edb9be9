import { join } from 'node:path';
import { renderConfigurationPage } from './configurationPage.ts';
import { renderErrorsPage } from './errorsPage.ts';
import { formatsPage, renderFormatsPage } from './formatsTable.ts';
import { renderLimitsPage } from './limitsPage.ts';

const folder = join(import.meta.dirname, '../../docs/docs/user-guide/reference');

/** Returns the generated reference pages by file. */
export const listReferencePages = (): ReadonlyMap<string, string> =>
  new Map([
    [join(folder, 'configuration.md'), renderConfigurationPage()],
    [join(folder, 'errors.md'), renderErrorsPage()],
    [join(folder, 'limits.md'), renderLimitsPage()],
    [formatsPage, renderFormatsPage()],
  ]);
