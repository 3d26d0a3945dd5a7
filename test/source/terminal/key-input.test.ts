import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyFilter } from '../../../source/terminal/key-input.ts';

const ESC = '\u001B';
const reports = [
  `${ESC}]11;rgb:1e1e/1e1e/2e2e${ESC}\\`,
  `${ESC}]10;rgb:ffff/ffff/ffff\u0007`,
  `${ESC}]52;c;cmVzdGFydA==\u0007`,
  `${ESC}P>|XTerm(388)${ESC}\\`,
  `${ESC}P1$r0m${ESC}\\`,
  `${ESC}P1+r544e=787465726d${ESC}\\`,
  `${ESC}_Gi=1;OK${ESC}\\`,
  `${ESC}[?2026;2$y`,
  `${ESC}[?997;1n`,
  `${ESC}[?1u`,
  `${ESC}[?62;22c`,
  `${ESC}[>1;10;0c`,
  `${ESC}[24;80R`,
  `${ESC}[0n`,
  `${ESC}[8;24;80t`,
  `${ESC}[I`,
  `${ESC}[O`,
  `${ESC}[<0;10;10M`,
  `${ESC}[<35;10;10m`,
  `${ESC}[M !!`,
];
const keys = [
  'q',
  'ü',
  '漢',
  '\r',
  '\t',
  '\u0003',
  '\u007F',
  `${ESC}b`,
  `${ESC}[A`,
  `${ESC}OA`,
  `${ESC}[1;5C`,
  `${ESC}[3~`,
  `${ESC}[3;5~`,
  `${ESC}[7~`,
  `${ESC}[8^`,
  `${ESC}[Z`,
  `${ESC}[[A`,
  `${ESC}[97;5u`,
  `${ESC}[a`,
  `${ESC}[3$`,
  `${ESC}[200~two\n${ESC}[I lines${ESC}[201~`,
];

describe('what a terminal answers is no key', () => {
  test.each(reports)('%j is dropped', (report) => {
    expect(createKeyFilter()(`a${report}b`)).toBe('ab');
  });

  test.each(keys)('%j stays as it is', (key) => {
    expect(createKeyFilter()(key)).toBe(key);
    expect(createKeyFilter()(`${key}q`)).toBe(`${key}q`);
  });

  test('wherever the terminal cuts a report, and whatever is typed around it', () => {
    const cutReports = reports.filter((each) => !each.startsWith(`${ESC}[M`));
    const part = fc.record({
      report: fc.constantFrom(...cutReports),
      key: fc.constantFrom(...keys),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.nat(), (parts, seed) => {
        const take = createKeyFilter(() => 0);
        let shown = '';
        for (const { report, key } of parts) {
          // After its first two characters: Esc alone is a key, and so is Alt with a letter.
          const cut = 3 + (seed % Math.max(1, report.length - 3));
          shown += take(report.slice(0, cut)) + take(report.slice(cut) + key);
        }
        expect(shown).toBe(parts.map(({ key }) => key).join(''));
      }),
    );
  });

  test('a paste is not looked into, also where it comes in parts', () => {
    const pasted = `${ESC}[200~${reports.join('')}x${ESC}[201~`;
    fc.assert(
      fc.property(fc.integer({ min: 6, max: pasted.length - 1 }), (at) => {
        const take = createKeyFilter(() => 0);
        expect(take(pasted.slice(0, at)) + take(pasted.slice(at))).toBe(pasted);
        expect(take(`${ESC}[Iq`)).toBe('q');
      }),
    );
  });

  test('keys that are typed long after half a report are not held', () => {
    let at = 0;
    const take = createKeyFilter(() => at);
    expect(take(`${ESC}]11;rgb:1e1e`)).toBe('');
    at = 2_000;
    expect(take('q')).toBe('q');
  });

  test('Shift-Enter of xterm and tmux is that of kitty, and Enter of a keypad is Enter', () => {
    expect(createKeyFilter()(`${ESC}[27;2;13~`)).toBe(`${ESC}[13;2u`);
    expect(createKeyFilter()(`${ESC}OM`)).toBe('\r');
  });
});
