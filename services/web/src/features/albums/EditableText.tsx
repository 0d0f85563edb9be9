import { Pencil } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import styles from './EditableText.module.css';

/** Text that can be edited in place: a click or Enter starts, Enter or blur saves, Escape cancels. */
export const EditableText = (props: {
  readonly value: string;
  /** Accessible name of the field. */
  readonly label: string;
  /** Tooltip of the text. */
  readonly editLabel: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** Multi-line text. Enter inserts a line break, Ctrl+Enter saves. */
  readonly isLong?: boolean;
  readonly onChange: (value: string) => void;
}) => {
  const { value, isLong = false } = props;
  const [typed, setTyped] = useState<string>();
  /** True after Enter or Escape. The focus then returns to the text. */
  const isClosedByKey = useRef(false);
  const finish = (): void => {
    if (typed !== undefined && typed.trim() !== value) props.onChange(typed.trim());
    setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isCancelled = event.key === 'Escape';
    const isSaved = event.key === 'Enter' && !(isLong && !event.ctrlKey && !event.metaKey);
    if (!isCancelled && !isSaved) return;
    event.preventDefault();
    isClosedByKey.current = true;
    if (isSaved) finish();
    else setTyped(undefined);
  };

  if (typed === undefined)
    return (
      <button
        ref={(button) => {
          if (isClosedByKey.current) button?.focus();
          isClosedByKey.current = false;
        }}
        type="button"
        className={[styles['shown'], value === '' ? styles['placeholder'] : ''].join(' ')}
        title={props.editLabel}
        onClick={() => setTyped(value)}
      >
        <span className={styles['text']}>{value === '' ? props.placeholder : value}</span>
        <Pencil aria-hidden size={16} className={styles['icon']} />
      </button>
    );
  const Field = isLong ? 'textarea' : 'input';
  return (
    <Field
      ref={focusAtEnd}
      className={styles['field']}
      aria-label={props.label}
      value={typed}
      maxLength={props.maxLength}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  );
};

function focusAtEnd(field: HTMLInputElement | HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
