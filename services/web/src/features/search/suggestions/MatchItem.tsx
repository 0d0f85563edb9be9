import { Autocomplete } from '@base-ui/react/autocomplete';
import { useTranslation } from 'react-i18next';
import listItem from '../../../components/page/ListItem.module.css';
import styles from './MatchItem.module.css';
import { type Suggestion, suggestionIcons } from './matches.ts';

export const MatchItem = ({
  suggestion,
  onChoose,
}: {
  readonly suggestion: Suggestion;
  readonly onChoose: () => void;
}) => {
  const { t, i18n } = useTranslation('search');
  const Icon = suggestionIcons[suggestion.kind];
  return (
    <Autocomplete.Item value={suggestion} className={listItem['item']} onClick={onChoose}>
      <Icon aria-hidden size={20} strokeWidth={1.75} />
      <span className={styles['name']}>{suggestion.name}</span>
      <span className={styles['kind']}>
        {t(`kind.${suggestion.kind}`)}
        {'count' in suggestion && ` · ${suggestion.count.toLocaleString(i18n.language)}`}
      </span>
    </Autocomplete.Item>
  );
};
