import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const segmenter = join(dirname(dirname(fileURLToPath(import.meta.url))), 'source', 'kit', 'text', 'segmenter.ts');

/**
 * A plugin of esbuild for what measures texts in a terminal: its segmenters are ours, and its patterns of Unicode's properties are made when a text is
 * tried against them. Most screens never do, and the engine takes 50 ms to make them.
 */
export function laterObjects() {
  return {
    name: 'later-objects',
    setup({ onLoad }) {
      onLoad(
        {
          filter: /[\\/]node_modules[\\/](string-width|slice-ansi|wrap-ansi|@alcalzone[\\/]ansi-tokenize)[\\/].*\.js$/,
        },
        ({ path }) => {
          const text = readFileSync(path, 'utf8');
          const later = text
            .replace(
              /^const (\w+) = new Intl\.Segmenter\(.*\);$/m,
              `import { segmenter as $1 } from ${JSON.stringify(segmenter)};`,
            )
            .replace(/^const (\w+) = (\/.*\\p\{.*\/[a-z]+);$/gm, 'const $1 = laterPattern(() => $2);');
          return { contents: later.includes('laterPattern(') ? `${later}\n${laterPattern}` : later };
        },
      );
    },
  };
}

const laterPattern = `
function laterPattern(make) {
  let made;
  const pattern = () => (made ??= make());
  return {
    test: (text) => pattern().test(text),
    [Symbol.search]: (text) => pattern()[Symbol.search](text),
    [Symbol.match]: (text) => pattern()[Symbol.match](text),
  };
}
`;
