import { Autocomplete } from '@base-ui/react/autocomplete';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import field from '../../../components/controls/TextField.module.css';
import type { Match } from '../suggestions/matches.ts';
import styles from './FilterDialog.module.css';
import { MatchItem } from '../suggestions/MatchItem.tsx';
import { useMatches } from '../suggestions/useMatches.ts';

/** Text field with suggested entities of the library below. */
export const MatchField = (props: { readonly label: string; readonly onChoose: (match: Match) => void }) => {
  const { t } = useTranslation('search');
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const matches = useMatches(text);
  const choose = (match: Match): void => {
    setText('');
    input.current?.focus();
    props.onChoose(match);
  };
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      autoHighlight
      items={matches}
      itemToStringValue={({ name }: Match) => name}
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== 'item-press') setText(value);
      }}
    >
      <label className={field['field']}>
        <span className={field['label']}>{props.label}</span>
        <Autocomplete.Input ref={input} maxLength={256} className={field['control']} />
      </label>
      <Autocomplete.List aria-label={t('matches')} className={styles['list']}>
        {(match: Match) => (
          <MatchItem
            key={`${match.kind}-${match.id ?? match.value}`}
            suggestion={match}
            onChoose={() => choose(match)}
          />
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
};
