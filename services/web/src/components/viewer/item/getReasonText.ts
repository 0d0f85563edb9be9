import type { Reason } from '@hearth/contract/reasons.ts';
import type { TFunction } from 'i18next';

/** Returns the translated failure reason. Unknown reasons get the text of `INTERNAL`. */
export const getReasonText = (t: TFunction<'viewer'>, reason: Reason | undefined): string =>
  t(`reasons.${reason ?? 'INTERNAL'}`, { defaultValue: t('reasons.INTERNAL') });
