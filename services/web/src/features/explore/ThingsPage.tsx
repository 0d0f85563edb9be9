import { Shapes } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EntitiesPage } from './entities/EntitiesPage.tsx';
import { useThings } from './entities/useEntities.ts';

export const ThingsPage = () => {
  const { t } = useTranslation('explore');
  return (
    <EntitiesPage
      title={t('things')}
      icon={Shapes}
      emptyTitle={t('thingsEmpty')}
      emptyText={t('thingsHint')}
      entities={useThings()}
    />
  );
};
