import { dirname, join, posix, relative, sep } from 'node:path';
import { repository } from '../../package.json';

/** As much of a node of Markdown as the plugin below reads. */
interface Node {
  readonly type: string;
  url?: string;
  readonly children?: readonly Node[];
}

const root = join(__dirname, '..', '..', '..');
const pages = 'docs/docs/';

/**
 * A plugin of remark. What a page links to in the repository outside the pages, such as `../../../charts/hearth/README.md`, is no part of the site:
 * the link leads to the repository, and that of the API's document to the reference.
 */
export const linksOutside = () => (tree: Node, file: { readonly path: string }) => {
  const folder = relative(root, dirname(file.path)).split(sep).join('/');
  const visit = (node: Node): void => {
    if (node.type === 'link' || node.type === 'definition') node.url = leadOutside(folder, node.url ?? '');
    node.children?.forEach(visit);
  };
  visit(tree);
};

const leadOutside = (folder: string, url: string): string => {
  if (!url.startsWith('../') || !`${folder}/`.startsWith(pages)) return url;
  const path = posix.join(folder, url);
  if (path.startsWith('..') || path.startsWith(pages)) return url;
  // In the repository the API is its document, on the site it is the reference.
  return path.startsWith('docs/openapi/') ? '/api/' : `${repository}/blob/main/${path}`;
};
