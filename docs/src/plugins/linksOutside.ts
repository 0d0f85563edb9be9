import { dirname, join, posix, relative, sep } from 'node:path';
import { repository } from '../../package.json';

/** Fields of a Markdown node that the plugin uses. */
interface Node {
  readonly type: string;
  url?: string;
  readonly children?: readonly Node[];
}

const root = join(__dirname, '..', '..', '..');
const pages = 'docs/docs/';

/**
 * Remark plugin for links to repository files outside the pages, such as `../../../charts/hearth/README.md`. Makes them
 * lead to the repository on GitHub. Links to the OpenAPI document lead to the API reference.
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
  // The site has a reference in place of the API's document.
  return path.startsWith('docs/openapi/') ? '/api/' : `${repository}/blob/main/${path}`;
};
