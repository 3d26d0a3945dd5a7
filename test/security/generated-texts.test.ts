// Boundary: whoever compiles or reads what is generated. Promise: no name and no text leaves its literal, comment or cell.
import { transform } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, compileRegistry, defineError } from '../../server-runtime/index.ts';
import { describeApi } from '../../source/manifest/describe-api.ts';
import { toDocsText } from '../../source/written/docs/docs-text.ts';
import { writeClient } from '../helpers/generated-client.ts';

const mark = 'globalThis.escaped = true';
const texts = [
  `*/ ${mark} /*`,
  `*/\n${mark}\n/*`,
  `'; ${mark}; '`,
  `"; ${mark}; "`,
  `\`; ${mark}; \``,
  `\${${mark}}`,
  `\\'; ${mark}; //`,
  `\n${mark}\n`,
  `\u2028${mark}\u2029`,
  `// x\r${mark}`,
  `</script><script>${mark}</script>`,
  `<img src=x onerror="${mark}">`,
  `| a | b |\n|---|---|\n| ${mark} |`,
  `\`\`\`\n<b>${mark}</b>\n\`\`\``,
];

function describeWith(text: string) {
  const Odd = defineError(409, 'Odd', text);
  const field = z.enum(['a', text]).default(text).describe(text);
  const schema = z.object({ [text]: field, id: z.literal(text).optional() }).describe(text);
  const getItem = capability(schema, () => ({ [text]: text }) as never, 'query')
    .output(z.object({ [text]: field }))
    .describe(text)
    .errors(Odd)
    .deprecated({ since: '2020-01-01', use: text });
  const registry = compileRegistry({ items: { getItem } });
  const written = describeApi({ registry, restOptions: {} });
  return { written, operations: registry.operations };
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'escaped'));

describe('a text stays a text', () => {
  it.each(texts)('in a client: %j', async (text) => {
    const source = await writeClient(describeWith(text).written);
    const { code } = await transform(source, { loader: 'ts', format: 'esm' });
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(Reflect.get(globalThis, 'escaped')).toBeUndefined();
  });

  it.each(texts)('on a page of Markdown: %j', (text) => {
    const { written, operations } = describeWith(text);
    const page = toDocsText(written.document, operations);
    // Code is shown as it is; everything else is read as HTML, too.
    const prose = page.replace(/^```[^]*?^```$/gm, '').replace(/(`+)[^]*?[^`]\1(?!`)/g, '');
    expect(prose).not.toMatch(/<(script|img|b)\b/i);
  });
});
