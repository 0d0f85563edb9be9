/**
 * Invisible characters, and those that reverse the order of letters: after U+202E `gpj.exe` reads as `exe.jpg`. Joiners of scripts and emoji and
 * variation selectors are kept.
 */
const hidden =
  /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;

/** Joiners that join nothing: beside an ASCII character, or at an end of the name. */
const idleJoiners = /(?<=^|\p{ASCII})\p{Join_Control}+|\p{Join_Control}+(?=\p{ASCII}|$)/gu;

/** Names of printable ASCII alone. Most names are, and a page shows hundreds. */
const plain = /^[ -~]*$/;

/** A name without invisible characters. */
export const visibleName = (name: string): string =>
  plain.test(name) ? name : name.replaceAll(hidden, '').replaceAll(idleJoiners, '');
