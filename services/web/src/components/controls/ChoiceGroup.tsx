import { useId } from 'react';
import styles from './ChoiceGroup.module.css';

/** Radio buttons side by side. */
export const ChoiceGroup = <Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}) => {
  const name = useId();
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{props.label}</legend>
      <div className={styles['choices']}>
        {props.choices.map(({ value, label }) => (
          <label key={value} className={styles['choice']}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
              className="visually-hidden"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
