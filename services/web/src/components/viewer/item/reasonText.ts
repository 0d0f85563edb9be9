import type { Reason } from '@hearth/contract/reasons.ts';
import type { TFunction } from 'i18next';

/** Why something did not come to be, in a family's words; of reasons that this version of the app does not know it says what of internal ones. */
export const reasonText = (t: TFunction<'viewer'>, reason: Reason | undefined): string =>
  t(`reasons.${reason ?? 'INTERNAL'}`, { defaultValue: t('reasons.INTERNAL') });
