import CodeInline from '@theme-original/CodeInline';
import type { Props } from '@theme/CodeInline';
import { Fragment, use, type ReactNode } from 'react';
import { InTable } from '../components/InTable';

/** Behind a separator within a path or a name, and between the words of a name in camel case. */
const breaks = /(?<=[\w}][/_.:-])(?=[\w{])|(?<=[a-z])(?=[A-Z])/;

/** Code in a sentence or a table. In a table its paths and names may be broken where they are put together, since columns are narrow. */
export default function BreakableCode({ children, ...props }: Props): ReactNode {
  const isInTable = use(InTable);
  if (!isInTable || typeof children !== 'string') return <CodeInline {...props}>{children}</CodeInline>;
  return (
    <CodeInline {...props}>
      {children.split(breaks).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </CodeInline>
  );
}
