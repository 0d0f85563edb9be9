import type { maxDescriptionLength } from '@hearth/contract/limits.ts';
import { Field } from '@base-ui/react/field';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/Button.tsx';
import styles from './DescriptionField.module.css';
import { useSaveDescription } from './useSaveDescription.ts';
import { useQueryClient } from '@tanstack/react-query';

const maxLength: typeof maxDescriptionLength = 4096;

/**
 * Description, edited in place. Saved on blur or Enter; Escape discards the edit. A text that could not be saved is
 * still in the field when the item is opened again.
 */
export const DescriptionField = (props: { readonly id: string; readonly saved: string }) => {
  const { t } = useTranslation(['viewer', 'common']);
  const { id, saved } = props;
  const unsaved = useDraft(id);
  const storedDraft = unsaved.get();
  const [draft, setDraft] = useState(storedDraft);
  const [hasFailed, setHasFailed] = useState(storedDraft !== undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const saveDescription = useSaveDescription(id);

  const change = (text: string | undefined): void => {
    setDraft(text);
    unsaved.set(text);
  };
  const save = async (): Promise<void> => {
    const text = draft?.trim();
    if (text === undefined) return;
    if (text !== saved && !(await saveDescription(text, saved))) return setHasFailed(true);
    setHasFailed(false);
    // Keeps text typed during the save.
    if (unsaved.get()?.trim() === text) change(undefined);
  };
  // Browser navigation unmounts the field without a blur event.
  const saveOnUnmount = useEffectEvent(() => void save());
  useEffect(() => () => saveOnUnmount(), []);

  return (
    <Field.Root className={styles['field']} invalid={hasFailed}>
      <Field.Label className="visually-hidden">{t('info.description')}</Field.Label>
      <Field.Control
        render={<textarea ref={field} rows={1} maxLength={maxLength} />}
        className={styles['control']}
        placeholder={t('info.addDescription')}
        value={draft ?? saved}
        onChange={(event) => change(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            // The viewer's keyboard shortcuts work there.
            field.current?.closest<HTMLElement>('[role=dialog]')?.focus();
          } else if (event.key === 'Escape' && draft !== undefined) {
            event.stopPropagation();
            change(undefined);
            setHasFailed(false);
          }
        }}
      />
      {hasFailed && (
        <Field.Error className={styles['error']} match>
          {t('info.descriptionFailed')}
          <Button variant="quiet" onClick={() => void save()}>
            {t('common:tryAgain')}
          </Button>
        </Field.Error>
      )}
    </Field.Root>
  );
};

const storagePrefix = 'unsavedDescription';

/** Unsaved description of an item. Stored in the query cache, so that sign-out discards it. */
const useDraft = (
  id: string,
): { readonly get: () => string | undefined; readonly set: (text: string | undefined) => void } => {
  const client = useQueryClient();
  const queryKey = [storagePrefix, id];
  return {
    get: () => client.getQueryData<string>(queryKey),
    set: (text) => {
      if (text === undefined) return client.removeQueries({ queryKey, exact: true });
      client.setQueryDefaults([storagePrefix], { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(queryKey, text);
    },
  };
};
