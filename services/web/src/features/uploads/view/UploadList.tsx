import { RotateCw, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/controls/IconButton.tsx';
import { fileAt } from '../plan/fileList.ts';
import { isSettled, type UploadFile } from '../plan/uploadFile.ts';
import type { UploadPlan } from '../plan/uploadPlan.ts';
import { uploadEngine } from '../engine/uploadStore.ts';
import { formatPercent } from './UploadProgress.tsx';
import { countListed, listFiles, type ListName } from './listedFiles.ts';
import styles from './UploadList.module.css';
import { useRowsInView } from './useRowsInView.ts';

/** Row height in pixels, same as in the CSS. */
const rowHeight = 56;

/** Virtualized list of files. */
export const UploadList = ({ plan, name }: { readonly plan: UploadPlan; readonly name: ListName }) => {
  const { t } = useTranslation('uploads');
  const count = countListed(plan, name);
  return count === 0 ? (
    <p className={styles['empty']}>{t('empty')}</p>
  ) : (
    <UploadRows plan={plan} name={name} count={count} />
  );
};

/** Rows of equal height. TanStack Virtual would measure all rows again whenever a file leaves the list. */
const UploadRows = ({
  plan,
  name,
  count,
}: {
  readonly plan: UploadPlan;
  readonly name: ListName;
  readonly count: number;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowsInView(scroller, rowHeight);
  return (
    // Focusable, so that it scrolls by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={styles['scroller']} tabIndex={0}>
      <ul className={styles['list']} style={{ height: count * rowHeight }}>
        {listFiles(plan, name, from, to).map((id, index) => {
          const file = fileAt(plan.files, id);
          return (
            file !== undefined && (
              <li
                key={id}
                className={styles['row']}
                style={{ transform: `translateY(${(from + index) * rowHeight}px)` }}
              >
                <UploadRow id={id} file={file} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
};

const UploadRow = ({ id, file }: { readonly id: number; readonly file: UploadFile }) => {
  const { t, i18n } = useTranslation('uploads');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return (
    <>
      <div className={styles['words']}>
        <p className={styles['name']} title={file.path}>
          {name}
        </p>
        <p className={styles['state']} data-problem={file.reason !== undefined || undefined}>
          {describeState()}
        </p>
      </div>
      {file.stage === 'failed' && (
        <IconButton
          icon={RotateCw}
          label={t('retry')}
          onClick={() => void uploadEngine().then((engine) => engine.retry(id))}
        />
      )}
      {!isSettled(file) && (
        <IconButton
          icon={X}
          label={t('cancel', { name })}
          onClick={() => void uploadEngine().then((engine) => engine.cancel(id))}
        />
      )}
    </>
  );

  function describeState(): string {
    const { stage, reason, sentBytes, sizeBytes } = file;
    switch (stage) {
      case 'refused':
      case 'failed':
        return t(`reason.${reason ?? 'server'}`);
      case 'hashed':
      case 'ready':
      case 'cancelled':
        return t('stage.queued');
      case 'sending':
        return t('stage.sending', { percent: formatPercent(sentBytes / Math.max(1, sizeBytes), i18n.language) });
      case 'missing':
      case 'queued':
      case 'hashing':
      case 'checking':
      case 'waiting':
      case 'done':
      case 'existing':
        return t(`stage.${stage}`);
    }
  }
};
