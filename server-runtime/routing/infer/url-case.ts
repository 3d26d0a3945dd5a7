/** The styles in which the words of a name are joined in a path: `bulk-status`, `bulk_status` or `bulkStatus`. */
export type UrlCase = 'kebab' | 'snake' | 'camel';

export const urlCases = ['kebab', 'snake', 'camel'] as const satisfies readonly UrlCase[];

/**
 * Writes a name in the case of a path segment, with a small first letter in every case:
 * `getURL` is `get-url`, `get_url` or `getURL`, and `HTMLPage` is `html-page`, `html_page` or `htmlPage`.
 */
export function toUrlCase(name: string, urlCase: UrlCase): string {
  const words = splitWords(name);
  switch (urlCase) {
    case 'kebab':
      return words.join('-').toLowerCase();
    case 'snake':
      return words.join('_').toLowerCase();
    case 'camel':
      return words.map((word, index) => (index === 0 ? word.toLowerCase() : word)).join('');
  }
}

/**
 * Splits a camel-case name into its words, letter case kept. Runs of capitals stay one word and digits belong to
 * the word before them: `HTMLPage` is `['HTML', 'Page']`, `v2Users` is `['v2', 'Users']`.
 */
export function splitWords(name: string): readonly string[] {
  return name.split(wordBoundary);
}

const wordBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
