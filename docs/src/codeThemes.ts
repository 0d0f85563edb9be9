/** Prism theme. Each colour has a contrast of at least 4.5:1 with its background. */
const makeTheme = (colours: {
  readonly text: string;
  readonly ground: string;
  readonly comment: string;
  readonly keyword: string;
  readonly string: string;
  readonly name: string;
}) => ({
  plain: { color: colours.text, backgroundColor: colours.ground },
  styles: [
    { types: ['comment', 'prolog', 'shebang'], style: { color: colours.comment } },
    { types: ['keyword', 'boolean', 'number', 'tag', 'important'], style: { color: colours.keyword } },
    { types: ['string', 'char', 'template-string', 'attr-value', 'regex'], style: { color: colours.string } },
    { types: ['function', 'property', 'attr-name', 'key', 'atrule', 'variable'], style: { color: colours.name } },
  ],
});

export const lightCode = makeTheme({
  text: '#1f1b17',
  ground: '#f2efeb',
  comment: '#5f574e',
  keyword: '#933b09',
  string: '#3a5a14',
  name: '#1d5480',
});

export const darkCode = makeTheme({
  text: '#ece6df',
  ground: '#211e1b',
  comment: '#b0a69a',
  keyword: '#ff9b66',
  string: '#bcd48c',
  name: '#8cc8e6',
});
