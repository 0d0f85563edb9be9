import { Autocomplete } from '@base-ui/react/autocomplete';
import { useTranslation } from 'react-i18next';
import listItem from '../../../components/page/ListItem.module.css';
import styles from './MatchItem.module.css';
import { type Offer, offerIcons } from './matches.ts';

export const MatchItem = ({ offer, onChoose }: { readonly offer: Offer; readonly onChoose: () => void }) => {
  const { t, i18n } = useTranslation('search');
  const Icon = offerIcons[offer.kind];
  return (
    <Autocomplete.Item value={offer} className={listItem['item']} onClick={onChoose}>
      <Icon aria-hidden size={20} strokeWidth={1.75} />
      <span className={styles['name']}>{offer.name}</span>
      <span className={styles['kind']}>
        {t(`kind.${offer.kind}`)}
        {'count' in offer && ` · ${offer.count.toLocaleString(i18n.language)}`}
      </span>
    </Autocomplete.Item>
  );
};
