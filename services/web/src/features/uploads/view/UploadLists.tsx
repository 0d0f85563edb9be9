import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import type { UploadPlan } from '../plan/uploadPlan.ts';
import { uploadEngine } from '../engine/uploadStore.ts';
import { countListed, listNames, type ListName } from './listedFiles.ts';
import { UploadList } from './UploadList.tsx';
import styles from './UploadLists.module.css';

/** Tabs of files: in progress, not uploaded, and done. */
export const UploadLists = ({ plan }: { readonly plan: UploadPlan }) => {
  const { t } = useTranslation('uploads');
  const [chosen, setChosen] = useState<ListName>();
  const shown = chosen ?? listNames.find((name) => countListed(plan, name) > 0) ?? 'now';
  return (
    <Tabs.Root className={styles['lists']} value={shown} onValueChange={(value: ListName) => setChosen(value)}>
      <Tabs.List className={styles['tabs']} aria-label={t('title')}>
        {listNames.map((name) => (
          <Tabs.Tab key={name} value={name} className={styles['tab']}>
            {t(`tabs.${name}`, { count: countListed(plan, name) })}
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
          <UploadList plan={plan} name={name} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
};
