import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/page/EmptyState.tsx';

/** What an address without a page shows. */
export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <EmptyState isPage icon={MapPinOff} title={t('notFound.title')} action={<Link to="/">{t('notFound.action')}</Link>}>
      <p>{t('notFound.text')}</p>
    </EmptyState>
  );
};
