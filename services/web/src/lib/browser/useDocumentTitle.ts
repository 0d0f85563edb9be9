import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Calls the tab after what its page shows, while it shows it; after the app alone while that is not known. */
export const useDocumentTitle = (title: string | undefined): void => {
  const { t } = useTranslation();
  const appName = t('appName');
  useEffect(() => {
    document.title = title === undefined ? appName : `${title} – ${appName}`;
    return () => {
      document.title = appName;
    };
  }, [title, appName]);
};
