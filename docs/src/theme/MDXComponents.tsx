import MDXComponents from '@theme-original/MDXComponents';
import type { ComponentProps, ReactNode } from 'react';

/** A table that is wider than the page is scrolled in itself, for which the keyboard has to reach it. */
const Table = (props: ComponentProps<'table'>): ReactNode => <table tabIndex={0} {...props} />;

export default { ...MDXComponents, table: Table };
