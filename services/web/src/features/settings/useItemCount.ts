import { useTranslation } from 'react-i18next';

/** From as many on the server stops counting (`maxProcessingCount` of the contract). */
const mostCounted = 10_000;

/** Says how many photos and videos there are: `312 photos and videos`, `10,000 or more photos and videos`. */
export const useItemCount = (): ((count: number) => string) => {
  const { t } = useTranslation('settings');
  return (count) => t(count >= mostCounted ? 'processingManyItems' : 'processingItems', { count });
};
