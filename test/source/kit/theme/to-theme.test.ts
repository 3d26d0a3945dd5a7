import { describe, expect, it } from 'vitest';
import { toTheme } from '../../../../source/kit/theme/to-theme.ts';
import { lightTokens, type Theme, tokens } from '../../../../source/kit/theme/tokens.ts';

/** The background and the colours 1 to 6 and 9 to 14 that dark terminals come with. */
const darkTerminals = {
  xterm: '#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff',
  'VS Code': '#1e1e1e #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db',
  'Windows Terminal':
    '#0c0c0c #c50f1f #13a10e #c19c00 #0037da #881798 #3a96dd #e74856 #16c60c #f9f1a5 #3b78ff #b4009e #61d6d6',
  GNOME: '#171421 #c01c28 #26a269 #a2734c #12488b #a347ba #2aa1b3 #f66151 #33da7a #e9ad0c #2a7bde #c061cb #33c7de',
  Solarized: '#002b36 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1',
  'the console of Linux':
    '#000000 #aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #ff5555 #55ff55 #ffff55 #5555ff #ff55ff #55ffff',
};
const names = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'];
const allNames = [...names, ...names.map((name) => `${name}Bright`)];
const lightBackgrounds = ['#ffffff', '#fdf6e3', '#f5f5f5'];

/** Contrast of two colours as WCAG 2 defines it, from 1 to 21. */
function toContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map(toLuminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function toLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/gi) ?? []).map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `94` gives `#875f00`. */
function toCubeColor(index: number): string {
  const levels = ['00', '5f', '87', 'af', 'd7', 'ff'];
  const place = index - 16;
  return `#${levels[Math.floor(place / 36)]}${levels[Math.floor(place / 6) % 6]}${levels[place % 6]}`;
}

function listColors(theme: Theme): readonly string[] {
  return [...new Set(Object.values(theme).flatMap(({ color }) => color ?? []))];
}

describe('the colours', () => {
  it.each(Object.entries(darkTerminals))('can be told from the dark background of %s', (_, palette) => {
    const [background = '', ...colors] = palette.split(' ');
    const faint = listColors(tokens).filter((name) => {
      const color = colors[allNames.indexOf(name)] ?? '';
      return toContrast(color, background) < 3;
    });
    expect(faint).toEqual([]);
  });

  it.each(lightBackgrounds)('are as readable as texts have to be on %s', (background) => {
    const faint = listColors(lightTokens).filter((color) => toContrast(color, background) < 4.5);
    expect(faint).toEqual([]);
  });

  it.each(lightBackgrounds)('are readable on %s where there are 256 of them', (background) => {
    const theme = toTheme({ own: undefined, background: { isLight: true }, environment: { TERM: 'xterm-256color' } });
    const indexes = listColors(theme).map((color) => Number(/^ansi256\((\d+)\)$/.exec(color)?.[1]));
    expect(indexes.filter((index) => !(toContrast(toCubeColor(index), background) >= 4.5))).toEqual([]);
  });

  it.each([
    ['16', { TERM: 'xterm' }],
    ['256', { TERM: 'xterm-256color' }],
    ['all', { COLORTERM: 'truecolor' }],
  ])('of warnings and errors differ on each background in a terminal of %s', (_, environment) => {
    for (const isLight of [false, true]) {
      const { warning, danger, changed, removed } = toTheme({ own: undefined, background: { isLight }, environment });
      expect(warning).not.toEqual(danger);
      expect(changed).not.toEqual(removed);
    }
  });

  it('can be read in the selected row, whose background differs a little from that of the window', () => {
    const environment = { COLORTERM: 'truecolor' };
    const light = toTheme({ own: undefined, background: { isLight: true, color: [255, 255, 255] }, environment });
    const { backgroundColor = '' } = light.selected;
    expect(toContrast(backgroundColor, '#ffffff')).toBeGreaterThan(1.25);
    expect(listColors(light).filter((color) => toContrast(color, backgroundColor) < 4)).toEqual([]);
    const dark = toTheme({ own: undefined, background: { isLight: false, color: [0, 43, 54] }, environment });
    expect(toContrast(dark.selected.backgroundColor ?? '', '#002b36')).toBeGreaterThan(1.25);
  });
});

describe('the selected row', () => {
  const background = { isLight: false, color: [0, 0, 0] } as const;

  it.each([
    ['of 256 colours', { TERM: 'xterm-256color' }, background],
    ['that is told to use sixteen', { COLORTERM: 'truecolor', FORCE_COLOR: '1' }, background],
    ['that does not say its background', { COLORTERM: 'truecolor' }, undefined],
    ['that says only that it is dark', { COLORTERM: 'truecolor' }, { isLight: false }],
  ])('is inverse in a terminal %s', (_, environment, known) => {
    expect(toTheme({ own: undefined, background: known, environment }).selected).toEqual({ inverse: true });
  });

  it('is as the user wants it', () => {
    const own = { selected: { backgroundColor: 'blue' } };
    const theme = toTheme({ own, background, environment: { COLORTERM: 'truecolor' } });
    expect(theme.selected).toEqual({ backgroundColor: 'blue' });
  });
});
