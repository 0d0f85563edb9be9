/**
 * What nobody sees in a name and what turns the order of its letters round: behind U+202E `gpj.exe` is read as `exe.jpg`. Kept are the joiners
 * of scripts and emoji, and the selectors of how a character is drawn.
 */
const hidden =
  /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;

/** Joiners that join nothing: beside what is ASCII, or an end. */
const idleJoiners = /(?<=^|\p{ASCII})\p{Join_Control}+|\p{Join_Control}+(?=\p{ASCII}|$)/gu;

/** Most names, of which a page shows hundreds. */
const plain = /^[ -~]*$/;

/** A name without the characters that nobody sees. */
export const visibleName = (name: string): string =>
  plain.test(name) ? name : name.replaceAll(hidden, '').replaceAll(idleJoiners, '');
