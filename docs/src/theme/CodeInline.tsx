import CodeInline from '@theme-original/CodeInline';
import type { Props } from '@theme/CodeInline';
import { Fragment, use, type ReactNode } from 'react';
import { InTable } from '../components/InTable';

/** Break opportunities: after separators in paths and names, and between camel-case words. */
const breaks = /(?<=[\w}][/_.:-])(?=[\w{])|(?<=[a-z])(?=[A-Z])/;

/** Inline code. In tables, paths and names may break between their parts, because columns are narrow. */
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
