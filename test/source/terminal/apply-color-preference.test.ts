import { expect, it } from 'vitest';
import { applyColorPreference } from '../../../source/terminal/apply-color-preference.ts';

it.each([
  ['nothing set', {}, {}],
  ['NO_COLOR', { NO_COLOR: '1' }, { FORCE_COLOR: '0' }],
  ['an empty NO_COLOR, which does not count', { NO_COLOR: '' }, { NO_COLOR: '' }],
  ['FORCE_COLOR', { FORCE_COLOR: '3' }, { FORCE_COLOR: '3' }],
  [
    'both, where FORCE_COLOR wins as it does in Node',
    { NO_COLOR: '1', FORCE_COLOR: '1' },
    { NO_COLOR: '1', FORCE_COLOR: '1' },
  ],
])('passes the wish for no colour on to Ink: %s', (_, environment: Record<string, string | undefined>, expected) => {
  applyColorPreference(environment);
  expect(environment).toEqual(expected);
});
