import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { toTerminalSvg } from '../../scripts/terminal-svg.mjs';

async function draw(text: string, title = 'a window'): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 2, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const svg = toTerminalSvg(terminal, title);
  terminal.dispose();
  return svg;
}

/** Of the window, without its title. */
async function drawTexts(text: string): Promise<readonly string[]> {
  return [...(await draw(text)).matchAll(/<(?:text|rect) [^>]*(?:\/>|>[^<]*<\/text>)/g)].map(([tag]) => tag).slice(2);
}

describe('a window as SVG', () => {
  it('draws what stands together in one style once, at its place', async () => {
    expect(await drawTexts('  ab c')).toEqual(['<text x="30.8" y="43.5" textLength="33.6" fill="#d8dbe2">ab c</text>']);
  });

  it('draws colours, bold, dim and underlined', async () => {
    const [red, bold, dim, line] = await drawTexts('\u001B[31mr\u001B[0;1mb\u001B[0;2md\u001B[0;4mu');
    expect(red).toContain('fill="#f2777a"');
    expect(bold).toContain('font-weight="bold"');
    expect(dim).toContain('opacity="0.6"');
    expect(line).toContain('text-decoration="underline"');
  });

  it.each([
    ['\u001B[38;5;196m', '#ff0000'],
    ['\u001B[38;5;244m', '#808080'],
    ['\u001B[38;2;1;2;3m', '#010203'],
  ])('knows the colour of %j', async (sequence, color) => {
    expect((await drawTexts(`${sequence}x`))[0]).toContain(`fill="${color}"`);
  });

  it('draws the ground of inverse text, blanks too', async () => {
    const [ground, text] = await drawTexts('\u001B[7m a  ');
    expect(ground).toBe('<rect x="14" y="30" width="33.6" height="18" fill="#d8dbe2"/>');
    expect(text).toContain('fill="#16181d">a</text>');
  });

  it('gives a wide character its two columns', async () => {
    expect((await drawTexts('日本'))[0]).toContain('textLength="33.6"');
  });

  it('escapes what XML would read', async () => {
    const svg = await draw('<a & "b">', 'x < y');
    expect(svg).toContain('&lt;a &amp; &quot;b&quot;&gt;');
    expect(svg).toContain('<title>x &lt; y</title>');
  });
});
