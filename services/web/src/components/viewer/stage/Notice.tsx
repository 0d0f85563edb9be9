import { CircleAlert, Clock3, CloudAlert, Download, ImageOff, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../lib/api/apiError.ts';
import { Button } from '../../controls/Button.tsx';
import type { ViewedItem } from '../item/viewedItem.ts';
import { getCondition } from '../item/condition.ts';
import styles from './Notice.module.css';
import { getReasonText } from '../item/getReasonText.ts';

/** Replaces an item that cannot be shown. Explains why and offers the original for download. */
export const ConditionNotice = ({ item }: { readonly item: ViewedItem }) => {
  const { t } = useTranslation('viewer');
  const condition = getCondition(item);
  const download =
    item.sourceUrl === undefined ? undefined : (
      <Button
        className={styles['button']}
        nativeButton={false}
        render={<a href={item.sourceUrl} download={item.filename ?? ''} aria-label={t('download')} />}
      >
        <Download aria-hidden size={18} />
        {t('download')}
      </Button>
    );
  switch (condition.kind) {
    case 'shown':
      return null;
    case 'processing':
      return (
        <Notice icon={Clock3} title={t('condition.processing')} action={download}>
          {t('condition.processingText')}
        </Notice>
      );
    case 'waiting':
      return (
        <Notice icon={Clock3} title={t('condition.waiting')} action={download}>
          {getReasonText(t, condition.reason)}
        </Notice>
      );
    case 'failed':
      return (
        <Notice icon={CircleAlert} title={t('condition.failed')} action={download}>
          {getReasonText(t, condition.reason)} {t('condition.kept')}
        </Notice>
      );
  }
};

/** Replaces an item that failed to load. */
export const ErrorNotice = ({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) => {
  const { t } = useTranslation(['viewer', 'common']);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Notice icon={ImageOff} title={t('condition.gone')}>
        {t('condition.goneText')}
      </Notice>
    );
  }
  const isUnreachable = error instanceof ApiError && error.code === 'UNREACHABLE';
  return (
    <Notice
      icon={CloudAlert}
      title={t('common:failed.title')}
      action={
        <Button className={styles['button']} onClick={onRetry}>
          {t('common:tryAgain')}
        </Button>
      }
    >
      {isUnreachable ? t('common:failed.unreachable') : t('common:failed.text')}
    </Notice>
  );
};

const Notice = (props: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) => {
  const Icon = props.icon;
  return (
    <div className={styles['notice']} role="status">
      <Icon aria-hidden size={44} strokeWidth={1.25} />
      <p className={styles['title']}>{props.title}</p>
      <p className={styles['text']}>{props.children}</p>
      {props.action}
    </div>
  );
};
