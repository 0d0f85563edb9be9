import { useId, type ReactNode } from 'react';

/** An input with its label. */
export const Labelled = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
}): ReactNode => {
  const id = useId();
  return (
    <div className="tryItField">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
};

/** Returns the value of an input that is not a file. */
export const getText = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};
