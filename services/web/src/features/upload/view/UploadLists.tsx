import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import type { UploadPlan } from '../plan/uploadPlan.ts';
import { uploadEngine } from '../store/uploadStore.ts';
import { listedFiles, listNames, type ListName } from './listedFiles.ts';
import { UploadList } from './UploadList.tsx';
import styles from './UploadLists.module.css';

/** The files in three lists: what is under way, what was not taken and why, and what is done. */
export const UploadLists = ({ plan }: { readonly plan: UploadPlan }) => {
  const { t } = useTranslation('upload');
  const [chosen, setChosen] = useState<ListName>();
  const lists = {
    now: listedFiles(plan, 'now'),
    problems: listedFiles(plan, 'problems'),
    done: listedFiles(plan, 'done'),
  };
  const shown = chosen ?? listNames.find((name) => lists[name].length > 0) ?? 'now';
  return (
    <Tabs.Root className={styles['lists']} value={shown} onValueChange={(value: ListName) => setChosen(value)}>
      <Tabs.List className={styles['tabs']} aria-label={t('title')}>
        {listNames.map((name) => (
          <Tabs.Tab key={name} value={name} className={styles['tab']}>
            {t(`tabs.${name}`, { count: lists[name].length })}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {listNames.map((name) => (
        <Tabs.Panel key={name} value={name} className={styles['panel']}>
          {name === 'problems' && plan.tallies.failed.files > 0 && (
            <Button
              variant="quiet"
              className={styles['retryAll']}
              onClick={() => void uploadEngine().then((engine) => engine.retry())}
            >
              {t('retryAll')}
            </Button>
          )}
          <UploadList plan={plan} ids={lists[name]} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
};
