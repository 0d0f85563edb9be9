import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { startTransition, Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../lib/api/useSession.ts';
import { focusContent } from '../../../lib/browser/focusContent.ts';
import { matchLink, type Suggestion } from './matches.ts';
import { rememberSearch } from './recentSearches.ts';
import styles from './SearchBox.module.css';
import { lazyComponent } from '../../../lib/browser/lazyComponent.ts';

/** Loaded on first use: the suggestions would be a quarter of the initial script. */
const SuggestingField = lazyComponent('SuggestingField', () => import('./SuggestingField.tsx'));

/** Search box in the bar of every page. `/` focuses it. */
export const SearchBox = () => {
  const { q = '' } = useSearch({ strict: false });
  const [isUsed, setIsUsed] = useState(false);
  return <Box key={q} q={q} isUsed={isUsed} onUse={() => setIsUsed(true)} />;
};

interface BoxProps {
  readonly q: string;
  /** True once the box had focus on this page. */
  readonly isUsed: boolean;
  readonly onUse: () => void;
}

const Box = ({ q, isUsed, onUse }: BoxProps) => {
  const { t } = useTranslation('search');
  const navigate = useNavigate();
  const session = useSession();
  const userId = 'userId' in session ? session.userId : '';
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const plainField = useRef<HTMLInputElement>(undefined);
  const [isFocused, setIsFocused] = useState(false);
  useFocusBySlash(input);

  const search = (requested: string): void => {
    if (requested.trim() === '') return;
    rememberSearch(userId, requested.trim());
    void navigate({ to: '/search', search: { q: requested.trim() } });
    focusContent();
  };

  const open = (suggestion: Suggestion): void => {
    if (suggestion.kind === 'recent') return search(suggestion.name);
    setText('');
    focusContent();
    void navigate(matchLink(suggestion));
  };

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    search(text);
  };

  const inputProps = {
    type: 'search',
    enterKeyHint: 'search',
    'aria-label': t('search'),
    'aria-keyshortcuts': '/',
    placeholder: t('placeholder'),
    maxLength: 256,
    className: styles['input'],
  } as const;
  return (
    <search className={styles['search']}>
      <form onSubmit={handleSubmit}>
        <Suspense>
          {isUsed ? (
            <SuggestingField
              userId={userId}
              text={text}
              onTextChange={setText}
              onOpen={open}
              inputRef={input}
              initialFocus={isFocused}
              plainField={plainField}
              inputProps={inputProps}
            />
          ) : (
            <div className={styles['box']}>
              <Search aria-hidden size={20} strokeWidth={1.75} />
              <input
                ref={(element) => {
                  input.current = element;
                  // `plainField` keeps this element after its removal, so that `SuggestingField` can take over its
                  // selection.
                  if (element !== null) plainField.current = element;
                }}
                {...inputProps}
                role="combobox"
                aria-expanded={false}
                aria-controls="search-offers"
                aria-haspopup="listbox"
                autoComplete="off"
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
                // A transition keeps this field and its text until `SuggestingField` has loaded.
                onFocus={() => {
                  setIsFocused(true);
                  startTransition(onUse);
                }}
                onBlur={() => setIsFocused(false)}
              />
            </div>
          )}
        </Suspense>
        {/* The form also contains a hidden input. Without a submit button, Enter would not submit it. */}
        <button type="submit" hidden>
          {t('title')}
        </button>
      </form>
    </search>
  );
};

/** Focuses the box when `/` is pressed outside of a text field. */
function useFocusBySlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isInField) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [input]);
}
