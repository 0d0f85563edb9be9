import { join } from 'node:path';
import { renderConfigurationPage } from './configurationPage.ts';
import { renderErrorsPage } from './errorsPage.ts';
import { formatsPage, renderFormatsPage } from './formatsTable.ts';
import { renderLimitsPage } from './limitsPage.ts';

const folder = join(import.meta.dirname, '../../docs/docs/user-guide/reference');

/** The pages of the guide that are made of the code: each file with its text. */
export const listReferencePages = (): ReadonlyMap<string, string> =>
  new Map([
    [join(folder, 'configuration.md'), renderConfigurationPage()],
    [join(folder, 'errors.md'), renderErrorsPage()],
    [join(folder, 'limits.md'), renderLimitsPage()],
    [formatsPage, renderFormatsPage()],
  ]);
