/** A part of a line: foreign text, code, a word that counts, or the heading that it leads to. */
export type Span = string | { readonly code: string } | { readonly strong: string } | { readonly link: string };

/** A line of text. */
export type Line = readonly Span[];

/** A part of a page for readers, which is written as Markdown or as HTML. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  /** Text that somebody wrote, in Markdown. */
  | { readonly kind: 'foreign'; readonly text: string }
  | { readonly kind: 'text'; readonly line: Line }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] };
