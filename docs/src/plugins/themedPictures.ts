/** Fields of a Markdown node that the plugin uses. */
interface Node {
  type: string;
  url?: string;
  name?: string;
  attributes?: readonly never[];
  children?: Node[];
}

const light = /-light\.(webp|svg)$/;

/**
 * Remark plugin that adds the dark variant to pictures named like `search-light.webp`. The site shows the variant of
 * the current theme, and the repository the light one.
 */
export const themedPictures = () => (tree: Node) => {
  const visit = (node: Node): void => {
    node.children = node.children?.map((child) => {
      visit(child);
      return child.type === 'image' && light.test(child.url ?? '') ? inBothThemes(child) : child;
    });
  };
  visit(tree);
};

const componentFor = (url: string): string => {
  if (!url.endsWith('.svg')) return 'ThemedPicture';
  return url.includes('images/diagrams/') ? 'ThemedDiagram' : 'ThemedChart';
};

/** Wraps both variants in one component. Docusaurus then converts them to `img` elements with their sizes. */
const inBothThemes = (image: Node): Node => ({
  type: 'mdxJsxTextElement',
  name: componentFor(image.url!),
  attributes: [],
  children: [image, { ...image, url: image.url!.replace(light, '-dark.$1') }],
});
