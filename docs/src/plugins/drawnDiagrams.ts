import { dirname, join, relative, sep } from 'node:path';
import { diagramFile, diagramFolder, diagramText } from './diagramFiles.mts';

/** Fields of a Markdown node that the plugin uses. */
interface Node {
  type: string;
  lang?: string | null;
  value?: string;
  url?: string;
  alt?: string;
  children?: Node[];
}

/**
 * Remark plugin that replaces Mermaid code with images rendered by `npm run docs:diagrams`. Rendering in the browser
 * would load a library three times the size of the page, and shift the layout. In the repository, GitHub renders the code.
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
