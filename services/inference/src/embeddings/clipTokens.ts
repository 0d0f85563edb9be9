import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';

/** Returns the tokens of a text, from the start token to the end token: at most 77. */
export type Tokenize = (text: string) => readonly number[];

/** The start and end token, and the maximum number of tokens of a model. */
export const [beginToken, endToken, maxTokens] = [49_406, 49_407, 77] as const;

/**
 * Opens the tokenizer of CLIP, which all models here share: lower-case words, built from characters by OpenAI's list of
 * merges. A text that spells the name of a special token does not get that token.
 * @throws Error if a file is invalid
 */
export async function openTokenizer(vocabularyPath: string, mergesPath: string): Promise<Tokenize> {
  const vocabulary = JSON.parse(await readFile(vocabularyPath, 'utf8')) as Record<string, number>;
  const [, ...merges] = (await readFile(mergesPath, 'utf8')).trimEnd().split('\n');
  const tokenizer = new Tokenizer(createRules(vocabulary, merges), {});
  return (text) => {
    const { ids } = tokenizer.encode(toLowerCase(text.toWellFormed().normalize('NFC')));
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), endToken];
  };
}

/**
 * Lower-cases each character separately, as the tokenizers of Hugging Face do. JavaScript maps a Σ at the end of a word
 * to another letter.
 */
const toLowerCase = (text: string): string => Array.from(text, (character) => character.toLowerCase()).join('');

/** Returns the same rules as the tokenizer.json of https://huggingface.co/openai/clip-vit-base-patch32. */
const createRules = (vocab: Readonly<Record<string, number>>, merges: readonly string[]) => ({
  added_tokens: [],
  normalizer: { type: 'Replace', pattern: { Regex: String.raw`\s+` }, content: ' ' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: { Regex: String.raw`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+` },
        behavior: 'Removed',
        invert: true,
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    ],
  },
  post_processor: {
    type: 'RobertaProcessing',
    sep: ['<|endoftext|>', endToken],
    cls: ['<|startoftext|>', beginToken],
    trim_offsets: false,
    add_prefix_space: false,
  },
  decoder: null,
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: '<|endoftext|>',
    continuing_subword_prefix: '',
    end_of_word_suffix: '</w>',
    fuse_unk: false,
    vocab,
    merges,
  },
});
