import MDXComponents from '@theme-original/MDXComponents';
import type { ComponentProps, ReactNode } from 'react';
import { InTable } from '../components/InTable';
import { ThemedChart, ThemedDiagram, ThemedPicture } from '../components/ThemedPicture';

/** Table that scrolls horizontally if it is wide. It is focusable, so that it scrolls by keyboard. */
const Table = (props: ComponentProps<'table'>): ReactNode => (
  <InTable value={true}>
    <table tabIndex={0} {...props} />
  </InTable>
);

/** Renders an empty header cell, as in the first column of many tables, as a normal cell. */
const HeaderCell = (props: ComponentProps<'th'>): ReactNode =>
  props.children === undefined ? <td style={props.style} /> : <th {...props} />;

export default { ...MDXComponents, ThemedChart, ThemedDiagram, ThemedPicture, table: Table, th: HeaderCell };
