/** As much of a node of Markdown as the plugin below reads and writes. */
interface Node {
  type: string;
  url?: string;
  name?: string;
  attributes?: readonly never[];
  children?: Node[];
}

const light = /-light\.(webp|svg)$/;

/**
 * A plugin of remark. A page names the light one of two pictures, `search-light.webp`, and shows what is called for: the dark one lies beside it. In the
 * repository it is the picture that the page names.
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

/** Docusaurus then makes an `img` of each, with its size. */
const inBothThemes = (image: Node): Node => ({
  type: 'mdxJsxTextElement',
  name: image.url!.endsWith('.svg') ? 'ThemedChart' : 'ThemedPicture',
  attributes: [],
  children: [image, { ...image, url: image.url!.replace(light, '-dark.$1') }],
});
