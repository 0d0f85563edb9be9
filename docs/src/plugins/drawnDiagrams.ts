import { dirname, join, relative, sep } from 'node:path';
import { diagramFile, diagramFolder, diagramText } from './diagramFiles.mts';

/** As much of a node of Markdown as the plugin below reads and writes. */
interface Node {
  type: string;
  lang?: string | null;
  value?: string;
  url?: string;
  alt?: string;
  children?: Node[];
}

/**
 * A plugin of remark. Diagrams of Mermaid are drawn by `npm run docs:diagrams` and lie in the tree: the browser would have to load a library three times as
 * large as the rest of the page, and to move the page for each of them. In the repository it is the code that is drawn.
 */
export const drawnDiagrams = () => (tree: Node, file: { readonly path: string }) => {
  const pages = join(__dirname, '..', '..', 'docs');
  const visit = (node: Node): void => {
    node.children = node.children?.map((child) => {
      visit(child);
      if (child.type !== 'code' || child.lang !== 'mermaid' || child.value === undefined) return child;
      const path = join(pages, diagramFolder, diagramFile(child.value, 'light'));
      const url = relative(dirname(file.path), path).split(sep).join('/');
      return { type: 'paragraph', children: [{ type: 'image', url, alt: diagramText(child.value) }] };
    });
  };
  visit(tree);
};
