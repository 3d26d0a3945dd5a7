import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords, toUrlCase, urlCases } from '../../../../server-runtime/routing/infer-route.ts';
import { anyName } from '../arbitraries.ts';

describe('the words of a name in a path', () => {
  it.each([
    ['bulkStatus', 'bulk-status', 'bulk_status', 'bulkStatus'],
    ['URL', 'url', 'url', 'url'],
    ['HTMLPage', 'html-page', 'html_page', 'htmlPage'],
    ['v2Users', 'v2-users', 'v2_users', 'v2Users'],
    ['V2Users', 'v2-users', 'v2_users', 'v2Users'],
    ['ActiveUsers', 'active-users', 'active_users', 'activeUsers'],
    ['exportCSVFile', 'export-csv-file', 'export_csv_file', 'exportCSVFile'],
    ['HTML5Page', 'html5-page', 'html5_page', 'html5Page'],
    ['2fa', '2fa', '2fa', '2fa'],
    ['a', 'a', 'a', 'a'],
    ['', '', '', ''],
  ])('writes %s as %s, %s and %s', (name, kebab, snake, camel) => {
    expect(urlCases.map((urlCase) => toUrlCase(name, urlCase))).toEqual([kebab, snake, camel]);
  });

  it('loses no letter and no digit of any name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(splitWords(name).join('')).toBe(name);
      }),
    );
  });

  it('gives the words back from kebab and snake case', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const words = splitWords(name).map((word) => word.toLowerCase());
        expect(toUrlCase(name, 'kebab').split('-')).toEqual(words);
        expect(toUrlCase(name, 'snake').split('_')).toEqual(words);
        expect(toUrlCase(name, 'camel').toLowerCase()).toBe(words.join(''));
      }),
    );
  });

  it('begins with no capital in any case', () => {
    fc.assert(
      fc.property(anyName, fc.constantFrom(...urlCases), (name, urlCase) => {
        expect(toUrlCase(name, urlCase)).toMatch(/^[a-z0-9]/);
      }),
    );
  });
});
