import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the document title while mounted. Undefined: the name of the app only. */
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
